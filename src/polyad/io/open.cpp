#include <polyad/base/error.hpp>
#include <polyad/io/build.hpp>
#include <polyad/io/file_errors.hpp>
#include <polyad/io/hdf5/tensor.hpp>
#include <polyad/io/hdf5/trailer.hpp>
#include <polyad/io/input_file.hpp>
#include <polyad/io/isolated/pack.hpp>
#include <polyad/io/isolated/reader.hpp>
#include <polyad/io/mat/mat.hpp>
#include <polyad/io/numpy/npy.hpp>
#include <polyad/io/numpy/npz.hpp>
#include <polyad/io/open.hpp>
#include <polyad/io/table/csv_write.hpp>
#include <polyad/io/text/decoder.hpp>
#include <polyad/io/text/toolbox_text.hpp>
#include <polyad/io/tns/read.hpp>
#include <polyad/io/tns/write.hpp>

namespace polyad {
namespace {

Tensor read_mat_tensor(InputFile& file, const ReadOptions& options, Remarks* remarks) {
  return in_file(file.path(), [&] {
    IsolatedRead read(file, {.task = "mat-tensor", .variable = options.variable}, remarks);
    RawTensor raw = unpack_tensor(read.result(), file, false);
    check_asked_shape(file.path(), raw.space, options);
    return build(std::move(raw), options, remarks);
  });
}

bool isolated_answer(const InputFile& file, const char* question) {
  IsolatedRead read(file, {.task = question}, nullptr);
  return read.result().flag();
}

}  // namespace

FileHolds what_file_holds(const std::string& path) {
  InputFile file(path);
  bool model = false;
  switch (file.format()) {
    case FileFormat::hdf5:
      check_hdf5_trailer(file, TrailerCheck::structure);
      model = isolated_answer(file, "hdf5-holds-model");
      break;
    case FileFormat::zip:
      model = is_npz_model(file);
      break;
    case FileFormat::mat5:
    case FileFormat::mat73:
      model = isolated_answer(file, "mat-holds-model");
      break;
    default:
      model = toolbox_type(first_content(file)) == "ktensor";
  }
  return model ? FileHolds::model : FileHolds::tensor;
}

Tensor read_tensor(const std::string& path, const ReadOptions& options, Remarks* remarks) {
  if (options.base && *options.base != 0 && *options.base != 1) {
    fail(ErrorKind::usage, "base must be 0 or 1 (is {})", *options.base);
  }
  InputFile file(path);
  switch (file.format()) {
    case FileFormat::hdf5:
      return read_hdf5_tensor(file, options, remarks);
    case FileFormat::npy:
      return read_npy(file, options, remarks);
    case FileFormat::zip:
      return read_npz_tensor(file, options, remarks);
    case FileFormat::mat5:
    case FileFormat::mat73:
      return read_mat_tensor(file, options, remarks);
    case FileFormat::text:
    case FileFormat::gzip:
    case FileFormat::zstd:
      if (!toolbox_type(first_content(file)).empty()) return read_toolbox_tensor(file, options, remarks);
      return read_tns(file, options, remarks);
    case FileFormat::other:
      break;
  }
  fail(ErrorKind::data,
       "'{}' is {}; polyad reads .tns (also compressed), Tensor Toolbox text, .npy, .npz, .mat and its own HDF5", path,
       file.unsupported());
}

void write_tensor(const std::string& path, const Tensor& tensor, const WriteOptions& options) {
  const std::string_view name = without_compression(path);
  const bool text = name.ends_with(".tns") || name.ends_with(".csv") || is_toolbox_name(name);
  if (name.size() != path.size() && !text) {
    fail(ErrorKind::usage, "cannot write '{}': only text (.tns, .csv, .tensor) is written compressed", path);
  }
  if (name.ends_with(".tns")) {
    write_tns(path, tensor);
  } else if (name.ends_with(".csv")) {
    write_csv_tensor(path, tensor, options.raw);
  } else if (is_toolbox_name(name)) {
    write_toolbox_tensor(path, tensor);
  } else if (name.ends_with(".npy")) {
    write_npy(path, tensor);
  } else if (name.ends_with(".npz")) {
    write_npz_tensor(path, tensor);
  } else if (name.ends_with(".mat")) {
    write_mat_tensor(path, tensor, options.mat_version_73);
  } else if (name.ends_with(".h5") || name.ends_with(".hdf5")) {
    write_hdf5_tensor(path, tensor);
  } else {
    fail(
        ErrorKind::usage,
        "cannot write '{}': the extension gives the format; use .h5, .tns, .tensor, .csv (these three also .gz, .zst), "
        ".npy (dense), .npz or .mat",
        path);
  }
}

bool keeps_labels(const std::string& path) {
  const std::string_view name = without_compression(path);
  return !name.ends_with(".npy") && !is_toolbox_name(name);
}

}  // namespace polyad
