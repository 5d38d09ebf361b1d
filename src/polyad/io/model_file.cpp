#include <polyad/base/error.hpp>
#include <polyad/io/format.hpp>
#include <polyad/io/model_file.hpp>

#include <algorithm>

namespace polyad {

KTensor model_of(const std::vector<std::uint64_t>& extents, std::vector<double> weights,
                 const std::vector<std::vector<double>>& matrices) {
  (void)IndexSpace(extents);  // its rules
  const std::size_t rank = weights.size();
  if (rank == 0) fail(ErrorKind::data, "a model without components");
  KTensor model(Factors(extents, rank));
  model.weights = std::move(weights);
  for (std::size_t k = 0; k < extents.size(); ++k) {
    for (std::size_t i = 0; i < extents[k]; ++i) {
      std::copy_n(matrices[k].data() + i * rank, rank, model.factors.row(k, i));
    }
  }
  return model;
}

std::vector<double> unpadded(const Factors& factors, std::size_t mode) {
  std::vector<double> out;
  out.reserve(factors.rows(mode) * factors.rank());
  for (std::size_t i = 0; i < factors.rows(mode); ++i) {
    const double* const row = factors.row(mode, i);
    out.insert(out.end(), row, row + factors.rank());
  }
  return out;
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
