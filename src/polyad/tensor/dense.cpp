#include <polyad/base/error.hpp>
#include <polyad/tensor/dense.hpp>

#include <limits>

namespace polyad {

namespace {

std::string cell_at(const DenseTensor& tensor, std::uint64_t cell) {
  std::vector<Index> index(tensor.space().modes());
  tensor.index_of(cell, index);
  return cell_text(index);
}

}  // namespace

DenseTensor::DenseTensor(IndexSpace space, Mappable<double> values)
    : space_(std::move(space)), values_(std::move(values)), strides_(space_.modes(), 1) {
  lay_out();
  for (std::uint64_t cell = 0; cell < values_.size(); ++cell) {
    if (std::isinf(values_[cell])) {
      fail(ErrorKind::data, "cell {} (indices counted from 1) is {}: values must be finite, or NaN where missing",
           cell_at(*this, cell), values_[cell]);
    }
  }
  count_observed();
}

DenseTensor::DenseTensor(IndexSpace space, Mappable<double> values, Mappable<double> weights, const TensorFacts& facts)
    : space_(std::move(space)),
      values_(std::move(values)),
      weights_(std::move(weights)),
      strides_(space_.modes(), 1),
      observed_(static_cast<std::uint64_t>(facts.values.observed)),
      facts_(facts) {
  lay_out();
  list_observed();
}

void DenseTensor::lay_out() {
  if (space_.exact_cells() != values_.size()) {
    fail(ErrorKind::data, "{} values given for a dense tensor of {}: give exactly one per cell", values_.size(),
         space_.to_string());
  }
  for (std::size_t k = space_.modes() - 1; k > 0; --k) strides_[k - 1] = strides_[k] * space_.extent(k);
}

void DenseTensor::set_weights(AlignedVector<double> weights) {
  if (weights.size() != values_.size()) {
    fail(ErrorKind::data, "{} weights given for a dense tensor of {}: give exactly one per cell", weights.size(),
         space_.to_string());
  }
  for (std::uint64_t cell = 0; cell < weights.size(); ++cell) {
    if (!(weights[cell] >= 0 && std::isfinite(weights[cell]))) {
      fail(ErrorKind::data,
           "cell {} (indices counted from 1) has weight {}: weights must be finite and at least 0 (0: "
           "missing)",
           cell_at(*this, cell), weights[cell]);
    }
  }
  for (std::uint64_t cell = 0; cell < weights.size(); ++cell) {
    // Left alone where it is missing already: mapped values then stay so.
    if (weights[cell] == 0 && !missing(cell)) values_.to_change()[cell] = std::numeric_limits<double>::quiet_NaN();
  }
  weights_ = std::move(weights);
  count_observed();
}

void DenseTensor::set_missing(std::span<const std::uint64_t> cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i] >= values_.size()) {
      fail(ErrorKind::data, "missing cell number {} is at position {} but the tensor of {} has only {} cells", i + 1,
           cells[i], space_.to_string(), values_.size());
    }
  }
  for (const std::uint64_t cell : cells) values_.to_change()[cell] = std::numeric_limits<double>::quiet_NaN();
  count_observed();
}

std::uint64_t DenseTensor::position(std::span<const Index> index) const {
  std::uint64_t cell = 0;
  for (std::size_t k = 0; k < strides_.size(); ++k) cell += index[k] * strides_[k];
  return cell;
}

void DenseTensor::positions(std::span<const AlignedVector<Index>> index, std::size_t first, std::size_t count,
                            std::uint64_t* cell) const {
  for (std::size_t t = 0; t < count; ++t) cell[t] = index.back()[first + t];
  for (std::size_t k = 0; k + 1 < strides_.size(); ++k) {
    const Index* const at = index[k].data() + first;
    const std::uint64_t stride = strides_[k];
    for (std::size_t t = 0; t < count; ++t) cell[t] += at[t] * stride;
  }
}

void DenseTensor::index_of(std::uint64_t cell, std::span<Index> index) const {
  for (std::size_t k = 0; k < strides_.size(); ++k) {
    index[k] = static_cast<Index>(cell / strides_[k]);
    cell %= strides_[k];
  }
}

void DenseTensor::count_observed() {
  facts_.reset();
  observed_ = 0;
  for (const double v : values_) observed_ += std::isnan(v) ? 0 : 1;
  list_observed();
}

void DenseTensor::list_observed() {
  observed_list_.clear();
  // Rejection would need over 8 tries per draw; the list costs at most one value's worth of memory in 8.
  if (observed_ >= (values_.size() + 7) / 8) return;
  observed_list_.reserve(observed_);
  for (std::uint64_t cell = 0; cell < values_.size(); ++cell) {
    if (!std::isnan(values_[cell])) observed_list_.push_back(cell);
  }
}

}  // namespace polyad
