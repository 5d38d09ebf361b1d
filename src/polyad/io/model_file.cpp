#include <polyad/base/error.hpp>
#include <polyad/io/file_errors.hpp>
#include <polyad/io/hdf5/model.hpp>
#include <polyad/io/hdf5/trailer.hpp>
#include <polyad/io/input_file.hpp>
#include <polyad/io/isolated/pack.hpp>
#include <polyad/io/isolated/reader.hpp>
#include <polyad/io/mat/mat.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/io/numpy/npz.hpp>
#include <polyad/io/table/csv_write.hpp>
#include <polyad/io/text/decoder.hpp>
#include <polyad/io/text/toolbox_text.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace polyad {
namespace {

ModelFile read_isolated_model(const InputFile& file, const char* task) {
  return in_file(file.path(), [&] {
    IsolatedRead read(file, {.task = task}, nullptr);
    return unpack_model(read.result());
  });
}

}  // namespace

Notes::Notes() : content_(std::make_unique<Content>()) {}
Notes::Notes(const Notes& other) : content_(std::make_unique<Content>(*other.content_)) {}
Notes::Notes(Notes&& other) noexcept = default;
Notes& Notes::operator=(const Notes& other) {
  return *this = Notes(other);
}
Notes& Notes::operator=(Notes&& other) noexcept = default;
Notes::~Notes() = default;

std::string Notes::text(int indent) const {
  // Texts of others need not be UTF-8; what is not becomes U+FFFD.
  return content_->json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Notes Notes::from_text(std::string_view json) {
  Notes notes;
  notes->json = Json::parse(json, nullptr, false);
  if (!notes->json.is_object()) fail(ErrorKind::data, "these notes are not a JSON object");
  return notes;
}

std::string unused_model_path(const std::string& data_path) {
  return unused_path(data_path, "-model.h5");
}

std::string unused_path(const std::string& data_path, const std::string& ending) {
  const std::string name = std::filesystem::path(data_path).filename().string();
  const std::string stem = std::filesystem::path(without_compression(name)).stem().string();
  const std::size_t dot = ending.rfind('.');
  std::string path = stem + ending;
  for (int n = 2; std::filesystem::exists(path); ++n) {
    path = fmt::format("{}{}-{}{}", stem, ending.substr(0, dot), n, ending.substr(dot));
  }
  return path;
}

void write_model(const std::string& path, const ModelFile& file, const WriteOptions& options) {
  const std::string_view name = without_compression(path);
  if (name.ends_with(".npz")) {
    write_npz_model(path, file);
  } else if (name.ends_with(".mat")) {
    write_mat_model(path, file, options.mat_version_73);
  } else if (name.ends_with(".csv")) {
    write_csv_model(path, file, options.raw);
  } else if (is_toolbox_name(name)) {
    write_toolbox_model(path, file);
  } else {
    write_hdf5_model(path, file);
  }
}

ModelFile read_model(const std::string& path) {
  InputFile input(path);
  const auto not_a_model = [&] {
    fail(ErrorKind::data, "'{}' is {}, not a model; 'polyad fit' makes models from tensors", path, format_name(input));
  };
  switch (input.format()) {
    case FileFormat::hdf5:
      check_hdf5_trailer(input, TrailerCheck::whole);
      return read_isolated_model(input, "hdf5-model");
    case FileFormat::zip:
      return read_npz_model(input);
    case FileFormat::mat5:
    case FileFormat::mat73:
      return read_isolated_model(input, "mat-model");
    case FileFormat::text:
    case FileFormat::gzip:
    case FileFormat::zstd:
      if (toolbox_type(first_content(input)).empty()) not_a_model();
      return read_toolbox_model(input);
    case FileFormat::npy:
    case FileFormat::other:
      break;
  }
  not_a_model();
  return {};
}

}  // namespace polyad
