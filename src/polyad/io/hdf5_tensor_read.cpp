#include <polyad/io/file_errors.hpp>
#include <polyad/io/hdf5_labels.hpp>
#include <polyad/io/hdf5_reader.hpp>
#include <polyad/io/hdf5_tensor.hpp>
#include <polyad/io/remarks.hpp>

#include <fmt/ranges.h>

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

SparseTensor read_sparse(const Hdf5Reader& file, const IndexSpace& space, const ReadOptions& options,
                         Remarks* remarks) {
  const Unlisted stored = stored_unlisted(file);
  const bool missing = stored == Unlisted::missing || options.unlisted == Unlisted::missing;
  if (missing)
    remark(remarks, "unlisted cells are missing{}", stored == Unlisted::missing ? " (the file says so)" : "");
  BuildReport report;
  SparseTensor sparse(space, read_records(file, open_columns(file, "/tensor/indices", space.modes(), true)),
                      missing ? Unlisted::missing : Unlisted::zero, &report);
  if (file.has("/tensor/missing/1")) {
    sparse.set_missing(read_records(file, open_columns(file, "/tensor/missing", space.modes(), false)), &report);
    remark(remarks, "{} {} missing", sparse.missing_cells(), sparse.missing_cells() == 1 ? "cell is" : "cells are");
  }
  if (!missing && file.has_attribute("/tensor", "zero_weight")) {
    sparse.set_zero_weight(file.number_attribute("/tensor", "zero_weight"));
  }
  remark_on_build(remarks, report);
  return sparse;
}

DenseTensor read_dense(const Hdf5Reader& file, const IndexSpace& space, Remarks* remarks) {
  const auto read = [&](const std::string& name) {
    const auto dataset = file.open(name);
    if (!std::ranges::equal(dataset.shape, space.extents())) {
      file.damaged(
          name, fmt::format("has the shape {}, /tensor says {}", fmt::join(dataset.shape, " x "), space.to_string()));
    }
    AlignedVector<double> values(dataset.elements);
    file.read(dataset, values.data());
    return values;
  };
  DenseTensor dense(space, read("/tensor/values"));
  if (file.has("/tensor/weights")) dense.set_weights(read("/tensor/weights"));
  if (const std::uint64_t missing = dense.cells() - dense.observed()) {
    remark(remarks, "{} of {} cells {} missing", missing, dense.cells(), missing == 1 ? "is" : "are");
  }
  return dense;
}

}  // namespace

Tensor read_hdf5_tensor(const std::string& path, const ReadOptions& options, Remarks* remarks) {
  return in_file(path, [&] {
    const Hdf5Reader file(path, "tensor");
    const IndexSpace space(file.list_attribute("/tensor", "shape"));
    if (options.shape && !std::ranges::equal(*options.shape, space.extents())) {
      fail(ErrorKind::data, "'{}' holds a tensor of {}, not of {} (--shape)", path, space.to_string(),
           fmt::join(*options.shape, " x "));
    }
    if (options.base) remark(remarks, "--base has no effect: the file states its indices exactly");
    const std::string storage = file.text_attribute("/tensor", "storage");
    if (storage == "sparse") {
      return Tensor(read_sparse(file, space, options, remarks), read_hdf5_labels(file, space));
    }
    if (storage == "dense") return Tensor(read_dense(file, space, remarks), read_hdf5_labels(file, space));
    file.damaged("/tensor", "attribute storage is neither dense nor sparse");
  });
}

}  // namespace polyad
