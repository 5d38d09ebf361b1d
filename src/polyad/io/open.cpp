#include <polyad/base/error.hpp>
#include <polyad/io/atomic_file.hpp>
#include <polyad/io/format.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/io/open.hpp>
#include <polyad/tensor/tensor.hpp>

namespace polyad {
namespace {

// What a format has no place for is refused where losing it would change the data.
void refuse_what_has_no_place(const std::string& path, const Tensor& tensor, const FileFormat& format) {
  const auto refuse = [&](std::string_view what) {
    fail(ErrorKind::usage, "cannot write '{}': {} has no place for {}; write .h5 instead", path, format.name, what);
  };
  const SparseTensor* const sparse = tensor.sparse();
  if (sparse != nullptr && !format.sparse) {
    fail(ErrorKind::usage,
         "cannot write '{}': {} is for dense tensors and this one is sparse; write .tns or .h5 instead", path,
         format.name);
  }
  if (!format.weights && (sparse != nullptr ? sparse->weighted() : tensor.dense()->weighted())) refuse("weights");
  if (sparse == nullptr) return;
  if (!format.weights && sparse->missing_cells() > 0) refuse("a list of missing cells");
  if (!format.unlisted_missing && sparse->unlisted() == Unlisted::missing) refuse("cells that are missing");
}

const FileFormat& readable_format(const InputFile& file) {
  if (const FileFormat* format = format_of(file)) return *format;
  fail(ErrorKind::data, "'{}' is {}; polyad reads {}", file.path(), format_name(file), readable_extensions());
}

}  // namespace

FileHolds what_file_holds(const std::string& path) {
  InputFile file(path);
  const FileFormat* const format = format_of(file);
  const bool model = format != nullptr && format->holds_model != nullptr && format->holds_model(file);
  return model ? FileHolds::model : FileHolds::tensor;
}

Tensor read_tensor(const std::string& path, const ReadOptions& options, Remarks* remarks) {
  if (options.base && *options.base != 0 && *options.base != 1) {
    fail(ErrorKind::usage, "`base` must be 0 or 1 (is {})", *options.base);
  }
  InputFile file(path, options.unpacked_limit);
  return readable_format(file).read_tensor(file, options, remarks);
}

void write_tensor(const std::string& path, const Tensor& tensor, const WriteOptions& options) {
  const FileFormat& format = output_format(path, FileHolds::tensor);
  refuse_what_has_no_place(path, tensor, format);
  format.write_tensor(path, tensor, options);
}

bool keeps_labels(const std::string& path, FileHolds what) {
  return output_format(path, what).labels;
}

void check_output(const std::string& path, FileHolds what) {
  (void)output_format(path, what);
  check_writable(path);
}

}  // namespace polyad
