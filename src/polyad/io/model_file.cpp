#include <polyad/base/error.hpp>
#include <polyad/io/format.hpp>
#include <polyad/io/model_file.hpp>

namespace polyad {

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
