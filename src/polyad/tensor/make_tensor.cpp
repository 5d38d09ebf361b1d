// Tensors from what callers have in memory, and what callers may change of them.

#include <polyad/base/error.hpp>
#include <polyad/tensor/tensor.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

namespace polyad {

namespace {

// The value of one index, whatever its type; negative numbers and numbers beyond 63 bits become one that is out of every range.
class ColumnReader {
 public:
  explicit ColumnReader(const IndexColumn& column) : column_(&column) {}

  std::uint64_t operator()(std::size_t entry) const {
    const unsigned char* const at = column_->first() + static_cast<std::ptrdiff_t>(entry) * column_->stride();
    switch (column_->bytes()) {
      case 1:
        return column_->is_signed() ? read<std::int8_t>(at) : read<std::uint8_t>(at);
      case 2:
        return column_->is_signed() ? read<std::int16_t>(at) : read<std::uint16_t>(at);
      case 4:
        return column_->is_signed() ? read<std::int32_t>(at) : read<std::uint32_t>(at);
      default:
        return column_->is_signed() ? read<std::int64_t>(at) : read<std::uint64_t>(at);
    }
  }

  static constexpr std::uint64_t out_of_range = ~std::uint64_t{0};

 private:
  template <class T>
  static std::uint64_t read(const unsigned char* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value < T{0} ? out_of_range : static_cast<std::uint64_t>(value);
  }

  const IndexColumn* column_;
};

std::string shown(const IndexColumn& column, std::size_t entry) {
  const std::uint64_t value = ColumnReader(column)(entry);
  return value == ColumnReader::out_of_range ? "negative" : fmt::format("{}", value);
}

void check_lengths(std::span<const IndexColumn> columns, std::size_t entries, std::size_t weights) {
  if (columns.empty()) fail(ErrorKind::usage, "a tensor needs a column of indices per mode; none is given");
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (columns[k].size() == entries) continue;
    fail(ErrorKind::data, "mode {} has {} indices, but there are {} values: give an index of every mode for each value",
         k + 1, columns[k].size(), entries);
  }
  if (weights != 0 && weights != entries) {
    fail(ErrorKind::data, "there are {} weights, but {} values: give one for each value, or none", weights, entries);
  }
}

std::vector<std::uint64_t> extents_of(std::span<const IndexColumn> columns) {
  std::vector<std::uint64_t> extents;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const ColumnReader index(columns[k]);
    std::uint64_t extent = 1;
    for (std::size_t i = 0; i < columns[k].size(); ++i) {
      if (index(i) >= max_held_extent) {
        fail(ErrorKind::data, "entry {}: the index of mode {} is {}; indices count from 0 and stay below {}", i + 1,
             k + 1, shown(columns[k], i), max_held_extent);
      }
      extent = std::max(extent, index(i) + 1);
    }
    extents.push_back(extent);
  }
  return extents;
}

Records records_of(const IndexSpace& space, std::span<const IndexColumn> columns, std::span<const double> values,
                   std::span<const double> weights) {
  Records entries = Records::blank(columns.size(), !weights.empty(), values.size());
  std::uint32_t* const words = entries.words_to_change();
  const std::size_t stride = entries.record_bytes() / sizeof(std::uint32_t);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const ColumnReader index(columns[k]);
    const std::uint64_t extent = std::min(space.extent(k), max_held_extent);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::uint64_t at = index(i);
      if (at >= extent) {
        fail(ErrorKind::data, "entry {}: the index of mode {} is {}, but the mode has {} (indices count from 0)", i + 1,
             k + 1, shown(columns[k], i), space.extent(k));
      }
      words[i * stride + k] = static_cast<Index>(at);
    }
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    entries.set_value(i, values[i]);
    if (!weights.empty()) entries.set_weight(i, weights[i]);
  }
  return entries;
}

void check_cells(const Tensor& tensor, const Records& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells.modes() == tensor.space().modes() && tensor.space().contains(cells.cell(i))) continue;
    fail(ErrorKind::data, "cell {} of the list, {} (counted from 1), is not in the tensor, which is {}", i + 1,
         cell_text(cells.cell(i)), tensor.space().to_string());
  }
}

}  // namespace

Tensor Tensor::dense(std::vector<std::uint64_t> extents, std::vector<double> values, Labels labels) {
  const auto held = std::make_shared<const std::vector<double>>(std::move(values));
  return borrowed(std::move(extents), *held, std::move(labels), held);
}

Tensor Tensor::borrowed(std::vector<std::uint64_t> extents, std::span<const double> values, Labels labels,
                        std::shared_ptr<const void> keeper) {
  Mappable<double> there(values.data(), values.size(), std::move(keeper), OutsideMemory::caller);
  return {DenseTensor(IndexSpace(std::move(extents)), std::move(there)), std::move(labels)};
}

Tensor Tensor::from_columns(std::vector<std::uint64_t> extents, std::span<const IndexColumn> columns,
                            std::span<const double> values, const SparseInput& input) {
  check_lengths(columns, values.size(), input.weights.size());
  IndexSpace space(extents.empty() ? extents_of(columns) : std::move(extents));
  if (space.modes() != columns.size()) {
    fail(ErrorKind::data, "the shape {} has {} modes, but there are {} columns of indices", space.to_string(),
         space.modes(), columns.size());
  }
  Records entries = records_of(space, columns, values, input.weights);
  return {SparseTensor(std::move(space), std::move(entries), input.unlisted, input.report), input.labels};
}

Tensor Tensor::from_records(std::vector<std::uint64_t> extents, Records entries, const SparseInput& input) {
  if (!input.weights.empty()) {
    fail(ErrorKind::usage, "records bring their own weights: append each cell with its weight");
  }
  if (extents.empty()) {
    extents.assign(entries.modes(), 1);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      for (std::size_t k = 0; k < extents.size(); ++k) {
        extents[k] = std::max(extents[k], std::uint64_t{entries.index(i)[k]} + 1);
      }
    }
  }
  return {SparseTensor(IndexSpace(std::move(extents)), std::move(entries), input.unlisted, input.report), input.labels};
}

void Tensor::set_weights(std::span<const double> weights) {
  if (is_sparse()) fail(ErrorKind::usage, "a weight per cell is for dense tensors; this one is sparse: list the cells");
  dense()->set_weights(AlignedVector<double>(weights.begin(), weights.end()));
}

void Tensor::set_weights(const Records& weights) {
  check_cells(*this, weights);
  if (is_sparse()) return sparse()->set_weights(weights);
  AlignedVector<double> all(dense()->cells(), 1.0);
  if (dense()->weighted()) std::ranges::copy(dense()->weights(), all.begin());
  for (std::size_t i = 0; i < weights.size(); ++i) all[dense()->position(weights.cell(i))] = weights.value(i);
  dense()->set_weights(std::move(all));
}

void Tensor::set_zero_weight(double weight) {
  if (!is_sparse()) fail(ErrorKind::usage, "`zero-weight` is for sparse tensors; this one is dense");
  sparse()->set_zero_weight(weight);
}

void Tensor::set_missing(const Records& cells) {
  check_cells(*this, cells);
  if (is_sparse()) return sparse()->set_missing(cells);
  std::vector<std::uint64_t> positions;
  positions.reserve(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) positions.push_back(dense()->position(cells.cell(i)));
  dense()->set_missing(positions);
}

}  // namespace polyad
