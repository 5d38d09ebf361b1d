#include <polyad/base/error.hpp>
#include <polyad/base/fields.hpp>
#include <polyad/io/hdf5/hdf5.hpp>
#include <polyad/io/hdf5/parts.hpp>
#include <polyad/io/hdf5/writer.hpp>
#include <polyad/tensor/facts.hpp>

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
  const TensorFacts* facts = nullptr;  // nullptr: not known
};

void write_sparse(Hdf5Writer& file, const TensorView& tensor) {
  file.attribute("/tensor", "storage", std::string("sparse"));
  file.attribute("/tensor", "unlisted", std::string(word_of(tensor.unlisted)));
  file.attribute("/tensor", "zero_weight", tensor.zero_weight);
  const Records& records = *tensor.entries;
  const Hdf5Id type = hdf5_record_type(records);
  file.large_table("/tensor/entries", type.get(), records.words(), records.size());
  if (tensor.missing != nullptr && tensor.missing->size() > 0) write_cells(file, "/tensor/missing", *tensor.missing);
}

void write_dense(Hdf5Writer& file, const TensorView& tensor) {
  file.attribute("/tensor", "storage", std::string("dense"));
  file.large_dataset("/tensor/values", tensor.values, tensor.space.extents());
  if (!tensor.weights.empty()) file.large_dataset("/tensor/weights", tensor.weights, tensor.space.extents());
}

void write_view(const std::string& path, const TensorView& tensor) {
  Hdf5Writer file(path, "tensor");
  file.group("/tensor");
  file.attribute("/tensor", "shape", tensor.space.extents());
  if (tensor.entries != nullptr) {
    write_sparse(file, tensor);
  } else {
    write_dense(file, tensor);
  }
  if (tensor.facts != nullptr) write_hdf5_facts(file, *tensor.facts);
  write_hdf5_labels(file, tensor.labels);
  file.commit();
}

}  // namespace

void write_hdf5_tensor(const std::string& path, const Tensor& tensor) {
  TensorView view{.space = tensor.space(), .labels = tensor.labels()};
  const TensorFacts facts{value_facts(tensor), tensor.norm(), fingerprint(tensor)};
  view.facts = &facts;
  if (const SparseTensor* sparse = tensor.sparse()) {
    view.entries = &sparse->records();
    view.unlisted = sparse->unlisted();
    view.zero_weight = sparse->zero_weight();
    view.missing = &sparse->missing();
  } else {
    const DenseTensor& dense = *tensor.dense();
    view.values = dense.values();
    view.weights = dense.weights();
  }
  write_view(path, view);
}

}  // namespace polyad
