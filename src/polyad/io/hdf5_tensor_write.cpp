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

// What there is to write, whoever holds it.
struct TensorView {
  const IndexSpace& space;
  const Labels& labels;
  const Records* entries = nullptr;  // nullptr: dense
  Unlisted unlisted = Unlisted::zero;
  double zero_weight = 1;
  const Records* missing = nullptr;
  std::span<const double> values = {};
  std::span<const double> weights = {};
};

void write_sparse(Hdf5Writer& file, const TensorView& tensor) {
  file.attribute("/tensor", "storage", std::string("sparse"));
  file.attribute("/tensor", "unlisted", std::string(word_of(tensor.unlisted)));
  file.attribute("/tensor", "zero_weight", tensor.zero_weight);
  const Records& records = *tensor.entries;
  write_cells(file, "/tensor/indices", records);
  const std::uint64_t shape[] = {records.size()};
  std::vector<double> column(records.size());
  for (std::size_t i = 0; i < records.size(); ++i) column[i] = records.value(i);
  file.dataset("/tensor/values", column, shape);
  if (records.weighted()) {
    for (std::size_t i = 0; i < records.size(); ++i) column[i] = records.weight(i);
    file.dataset("/tensor/weights", column, shape);
  }
  if (tensor.missing != nullptr && tensor.missing->size() > 0) write_cells(file, "/tensor/missing", *tensor.missing);
}

void write_dense(Hdf5Writer& file, const TensorView& tensor) {
  file.attribute("/tensor", "storage", std::string("dense"));
  file.dataset("/tensor/values", tensor.values, tensor.space.extents());
  if (!tensor.weights.empty()) file.dataset("/tensor/weights", tensor.weights, tensor.space.extents());
}

std::uint64_t estimated_bytes(const TensorView& tensor) {
  std::uint64_t bytes = 16 * 1024 + 8 * (tensor.values.size() + tensor.weights.size());
  if (tensor.entries != nullptr) {
    bytes += tensor.entries->size() * (4 * tensor.space.modes() + (tensor.entries->weighted() ? 16 : 8));
  }
  if (tensor.missing != nullptr) bytes += tensor.missing->size() * 4 * tensor.space.modes();
  for (std::size_t k = 0; k < tensor.labels.modes(); ++k) bytes += 64 * tensor.labels.mode(k).entries.size();
  return bytes;
}

// Builds the file; the caller says where it goes.
template <class Finish>
void write_view(const std::string& path, const TensorView& tensor, Finish finish) {
  Hdf5Writer file(path, "tensor", estimated_bytes(tensor));
  file.group("/tensor");
  file.attribute("/tensor", "shape", tensor.space.extents());
  if (tensor.entries != nullptr) {
    write_sparse(file, tensor);
  } else {
    write_dense(file, tensor);
  }
  write_hdf5_labels(file, tensor.labels);
  finish(file);
}

}  // namespace

void write_hdf5_tensor(const std::string& path, const Tensor& tensor) {
  TensorView view{.space = tensor.space(), .labels = tensor.labels()};
  std::vector<double> weights;
  if (const SparseTensor* sparse = tensor.sparse()) {
    view.entries = &sparse->records();
    view.unlisted = sparse->unlisted();
    view.zero_weight = sparse->zero_weight();
    view.missing = &sparse->missing();
  } else {
    const DenseTensor& dense = *tensor.dense();
    view.values = dense.values();
    if (dense.weighted()) {
      weights.resize(dense.cells());
      for (std::uint64_t cell = 0; cell < dense.cells(); ++cell) weights[cell] = dense.weight(cell);
    }
    view.weights = weights;
  }
  write_view(path, view, [](Hdf5Writer& file) { file.commit(); });
}

void write_hdf5_raw(int descriptor, const RawTensor& raw) {
  const TensorView view{.space = raw.space,
                        .labels = raw.labels,
                        .entries = raw.entries ? &*raw.entries : nullptr,
                        .unlisted = raw.unlisted,
                        .zero_weight = raw.zero_weight,
                        .missing = raw.missing ? &*raw.missing : nullptr,
                        .values = raw.values,
                        .weights = raw.weights};
  write_view("memory", view, [&](Hdf5Writer& file) { file.commit_to(descriptor); });
}

}  // namespace polyad
