#include <polyad/io/build.hpp>
#include <polyad/io/format.hpp>
#include <polyad/io/isolated/pack.hpp>
#include <polyad/io/isolated/reader.hpp>
#include <polyad/io/mat/mat.hpp>
#include <polyad/io/messages.hpp>

namespace polyad {
namespace {

constexpr std::string_view mat_extensions[] = {".mat"};

bool is_mat(std::string_view start) {
  return start.starts_with("MATLAB 5.0") || start.starts_with("MATLAB 7.3");
}

bool holds_mat_model(InputFile& file) {
  IsolatedRead read(file, {.task = "mat-holds-model"}, nullptr);
  return read.result().flag();
}

Tensor read_mat_tensor(InputFile& file, const ReadOptions& options, Remarks* remarks) {
  return in_file(file.path(), [&] {
    IsolatedRead read(file, {.task = "mat-tensor", .variable = options.variable}, remarks);
    RawTensor raw = unpack_tensor(read.result(), file, false);
    check_asked_shape(file.path(), raw.space, options);
    return build(std::move(raw), options, remarks);
  });
}

ModelFile read_isolated_model(InputFile& file) {
  return in_file(file.path(), [&] {
    IsolatedRead read(file, {.task = "mat-model"}, nullptr);
    return unpack_model(read.result());
  });
}

}  // namespace

extern constinit const FileFormat mat_format{
    .word = "mat",
    .name = ".mat",
    .what = "a MATLAB .mat file",
    .help = "MATLAB's files, version 5 and 7.3; structs as the Tensor Toolbox makes them",
    .extensions = mat_extensions,
    .dense = KeepsDense::yes,
    .sparse = true,
    .labels = true,
    .unlisted_missing = true,
    .missing = "NaN, or unlisted cells",
    .recognises = is_mat,
    .holds_model = holds_mat_model,
    .read_tensor = read_mat_tensor,
    .read_model = read_isolated_model,
    .write_tensor = [](const std::string& path, const Tensor& tensor,
                       const WriteOptions& options) { write_mat_tensor(path, tensor, options.mat_version_73); },
    .write_model = [](const std::string& path, const ModelFile& file,
                      const WriteOptions& options) { write_mat_model(path, file, options.mat_version_73); },
};

}  // namespace polyad
