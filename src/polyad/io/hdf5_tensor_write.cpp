#include <polyad/base/fields.hpp>
#include <polyad/io/hdf5_labels.hpp>
#include <polyad/io/hdf5_tensor.hpp>
#include <polyad/io/hdf5_writer.hpp>

namespace polyad {
namespace {

void write_cells(Hdf5Writer& file, const std::string& group, const Records& cells) {
  file.group(group);
  std::vector<std::uint32_t> indices(cells.size());
  for (std::size_t k = 0; k < cells.modes(); ++k) {
    for (std::size_t i = 0; i < cells.size(); ++i) indices[i] = cells.index(i)[k];
    file.dataset(fmt::format("{}/{}", group, k + 1), indices);
  }
}

void write_sparse(Hdf5Writer& file, const SparseTensor& sparse) {
  file.attribute("/tensor", "storage", std::string("sparse"));
  file.attribute("/tensor", "unlisted", std::string(word_of(sparse.unlisted())));
  file.attribute("/tensor", "zero_weight", sparse.zero_weight());
  const Records& records = sparse.records();
  write_cells(file, "/tensor/indices", records);
  const std::uint64_t shape[] = {records.size()};
  std::vector<double> column(records.size());
  for (std::size_t i = 0; i < records.size(); ++i) column[i] = records.value(i);
  file.dataset("/tensor/values", column, shape);
  if (records.weighted()) {
    for (std::size_t i = 0; i < records.size(); ++i) column[i] = records.weight(i);
    file.dataset("/tensor/weights", column, shape);
  }
  if (sparse.missing_cells() > 0) write_cells(file, "/tensor/missing", sparse.missing());
}

void write_dense(Hdf5Writer& file, const DenseTensor& dense) {
  file.attribute("/tensor", "storage", std::string("dense"));
  file.dataset("/tensor/values", dense.values(), dense.space().extents());
  if (!dense.weighted()) return;
  std::vector<double> weights(dense.cells());
  for (std::uint64_t cell = 0; cell < dense.cells(); ++cell) weights[cell] = dense.weight(cell);
  file.dataset("/tensor/weights", weights, dense.space().extents());
}

std::uint64_t estimated_bytes(const Tensor& tensor) {
  std::uint64_t bytes = 16 * 1024;
  if (const SparseTensor* sparse = tensor.sparse()) {
    bytes += sparse->listed() * (4 * tensor.space().modes() + (sparse->records().weighted() ? 16 : 8));
    bytes += sparse->missing_cells() * 4 * tensor.space().modes();
  } else {
    bytes += tensor.dense()->cells() * (tensor.dense()->weighted() ? 16 : 8);
  }
  for (std::size_t k = 0; k < tensor.labels().modes(); ++k) bytes += 64 * tensor.labels().mode(k).entries.size();
  return bytes;
}

}  // namespace

void write_hdf5_tensor(const std::string& path, const Tensor& tensor) {
  Hdf5Writer file(path, "tensor", estimated_bytes(tensor));
  file.group("/tensor");
  file.attribute("/tensor", "shape", tensor.space().extents());
  if (const SparseTensor* sparse = tensor.sparse()) {
    write_sparse(file, *sparse);
  } else {
    write_dense(file, *tensor.dense());
  }
  write_hdf5_labels(file, tensor.labels());
  file.commit();
}

}  // namespace polyad
