#include <polyad/base/error.hpp>
#include <polyad/base/memory.hpp>
#include <polyad/base/text.hpp>
#include <polyad/io/build.hpp>
#include <polyad/io/hdf5/hdf5.hpp>
#include <polyad/io/hdf5/parts.hpp>
#include <polyad/io/hdf5/reader.hpp>
#include <polyad/io/hdf5/trailer.hpp>
#include <polyad/io/input_file.hpp>
#include <polyad/io/isolated/pack.hpp>
#include <polyad/io/isolated/reader.hpp>
#include <polyad/io/messages.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace polyad {
namespace {

// Columns of equal length: indices of each mode and, where there are any, values and weights.
struct Columns {
  std::vector<Hdf5Reader::Dataset> indices;
  std::optional<Hdf5Reader::Dataset> values;
  std::optional<Hdf5Reader::Dataset> weights;
};

void check_length(const Hdf5Reader& file, const Hdf5Reader::Dataset& column, std::uint64_t length) {
  if (column.shape.size() != 1 || column.elements != length) {
    file.damaged(column.name, fmt::format("has {} elements where {} are expected", column.elements, length));
  }
}

Columns open_columns(const Hdf5Reader& file, const std::string& group, std::size_t modes, bool values) {
  Columns columns;
  for (std::size_t k = 0; k < modes; ++k) {
    columns.indices.push_back(file.open(fmt::format("{}/{}", group, k + 1)));
    check_length(file, columns.indices.back(), columns.indices.front().elements);
  }
  if (!values) return columns;
  columns.values = file.open("/tensor/values");
  check_length(file, *columns.values, columns.indices.front().elements);
  if (file.has("/tensor/weights")) {
    columns.weights = file.open("/tensor/weights");
    check_length(file, *columns.weights, columns.indices.front().elements);
  }
  return columns;
}

// Block by block, so that no second copy of the tensor is ever in memory.
Records read_records(const Hdf5Reader& file, const Columns& columns) {
  const std::size_t modes = columns.indices.size();
  const std::uint64_t length = columns.indices.front().elements;
  const std::uint64_t block = std::min<std::uint64_t>(length, 64 * 1024);
  require_memory(sparse_bytes(modes, columns.weights.has_value(), length), "a sparse tensor of this many entries");
  Records records(modes, columns.weights.has_value());
  records.reserve(length);
  std::vector<std::vector<std::uint32_t>> indices(modes, std::vector<std::uint32_t>(block));
  std::vector<double> values(block, 1.0);
  std::vector<double> weights(block, 1.0);
  std::array<Index, max_modes> index{};
  for (std::uint64_t begin = 0; begin < length; begin += block) {
    const std::uint64_t count = std::min(block, length - begin);
    for (std::size_t k = 0; k < modes; ++k) file.read(columns.indices[k], begin, count, indices[k].data());
    if (columns.values) file.read(*columns.values, begin, count, values.data());
    if (columns.weights) file.read(*columns.weights, begin, count, weights.data());
    for (std::uint64_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < modes; ++k) index[k] = indices[k][i];
      records.append(index.data(), values[i], weights[i]);
    }
  }
  return records;
}

Unlisted stored_unlisted(const Hdf5Reader& file) {
  if (!file.has_attribute("/tensor", "unlisted")) return Unlisted::zero;
  const std::string word = file.text_attribute("/tensor", "unlisted");
  if (word != "zero" && word != "missing") file.damaged("/tensor", "attribute unlisted is neither zero nor missing");
  return word == "zero" ? Unlisted::zero : Unlisted::missing;
}

// HDF5 would clip indices of other types without a word.
void check_index_columns(const Hdf5Reader& file, const Hdf5Reader::Dataset& entries, std::size_t modes) {
  for (std::size_t k = 0; k < modes; ++k) {
    const std::string column = fmt::format("i{}", k + 1);
    if (file.column_is(entries, column.c_str(), H5T_STD_U32LE)) continue;
    file.damaged(entries.name, fmt::format("has no column {} of unsigned 32-bit whole numbers; write indices of other "
                                           "types to /tensor/indices and /tensor/values (docs/formats.md)",
                                           column));
  }
}

Records read_entries(const Hdf5Reader& file, std::size_t modes, TensorPlaces& places) {
  const auto dataset = file.open("/tensor/entries");
  check_index_columns(file, dataset, modes);
  const bool weighted = file.has_column(dataset, "weight");
  const Hdf5Id type = hdf5_record_type(Records(modes, weighted));
  if (dataset.shape.size() != 1) file.damaged(dataset.name, "is not a table");
  places.entries = file.place(dataset, type.get());
  if (places.entries) return Records(modes, weighted);
  require_memory(sparse_bytes(modes, weighted, dataset.elements), "a sparse tensor of this many entries");
  Records records = Records::blank(modes, weighted, dataset.elements);
  file.read_table(dataset, type.get(), records.words_to_change());
  return records;
}

void read_sparse(const Hdf5Reader& file, RawTensor& raw, TensorPlaces& places) {
  const std::size_t modes = raw.space.modes();
  raw.unlisted = stored_unlisted(file);
  raw.entries = file.has("/tensor/entries") ? read_entries(file, modes, places)
                                            : read_records(file, open_columns(file, "/tensor/indices", modes, true));
  if (file.has("/tensor/missing/1")) {
    raw.missing = read_records(file, open_columns(file, "/tensor/missing", modes, false));
  }
  if (file.has_attribute("/tensor", "zero_weight")) raw.zero_weight = file.number_attribute("/tensor", "zero_weight");
}

void check_shape(const Hdf5Reader& file, const Hdf5Reader::Dataset& dataset, const IndexSpace& space) {
  if (std::ranges::equal(dataset.shape, space.extents())) return;
  file.damaged(dataset.name,
               fmt::format("has the shape {}, /tensor says {}", joined(dataset.shape, " x "), space.to_string()));
}

Mappable<double> read_cells(const Hdf5Reader& file, const std::string& name, const IndexSpace& space,
                            std::optional<FileRange>& place) {
  const auto dataset = file.open(name);
  check_shape(file, dataset, space);
  place = file.place(dataset, H5T_IEEE_F64LE);
  if (place) return {};
  require_memory(static_cast<double>(dataset.elements) * sizeof(double), "the values of this dense tensor");
  AlignedVector<double> values(dataset.elements);
  file.read(dataset, values.data());
  return values;
}

}  // namespace

RawTensor read_hdf5_raw(const std::string& path, bool facts, TensorPlaces& places) {
  const Hdf5Reader file(path, "tensor");
  RawTensor raw{IndexSpace(file.list_attribute("/tensor", "shape"))};
  const std::string storage = file.text_attribute("/tensor", "storage");
  if (storage == "sparse") {
    read_sparse(file, raw, places);
  } else if (storage == "dense") {
    raw.values = read_cells(file, "/tensor/values", raw.space, places.values);
    if (file.has("/tensor/weights")) raw.weights = read_cells(file, "/tensor/weights", raw.space, places.weights);
  } else {
    file.damaged("/tensor", "attribute storage is neither dense nor sparse");
  }
  if (facts) raw.facts = read_hdf5_facts(file);
  raw.labels = read_hdf5_labels(file, raw.space);
  return raw;
}

}  // namespace polyad
