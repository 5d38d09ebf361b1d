#include <polyad/base/error.hpp>
#include <polyad/io/format.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/io/text/decoder.hpp>

#include <filesystem>
#include <memory>

namespace polyad {

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

ModelFile read_model(const std::string& path) {
  InputFile file(path);
  const FileFormat* const format = format_of(file);
  if (format == nullptr || format->read_model == nullptr) {
    fail(ErrorKind::data, "'{}' is {}, not a model; 'polyad fit' makes models from tensors", path, format_name(file));
  }
  return format->read_model(file);
}

void write_model(const std::string& path, const ModelFile& file, const WriteOptions& options) {
  output_format(path, FileHolds::model).write_model(path, file, options);
}

}  // namespace polyad
