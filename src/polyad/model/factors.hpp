#pragma once
// All factor matrices in one aligned buffer. Row i of mode k holds the r components of that index side by side, padded
// with zeros to a multiple of four numbers, so that kernels run whole vectors over a row. (Not to the widest vector: with
// rank 10 the optimiser, which is bound by memory, would move 16 numbers instead of 12.) An optimiser sees the buffer as
// one flat span; gaps and padding are zero in parameters and gradients alike and stay so.
//
// Models are kept in double precision (Factors); a fit in single precision works on FactorsOf<float>.

#include <polyad/base/aligned.hpp>
#include <polyad/tensor/index_space.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace polyad {

/// Numbers a row for a given rank.
constexpr std::size_t row_stride(std::size_t rank) {
  return (rank + 3) / 4 * 4;
}

template <class T>
class FactorsOf {
 public:
  FactorsOf() = default;
  /// All zeros.
  FactorsOf(std::vector<std::uint64_t> extents, std::size_t rank);

  std::size_t modes() const { return extents_.size(); }
  std::size_t rank() const { return rank_; }
  std::size_t stride() const { return stride_; }
  std::size_t rows(std::size_t mode) const { return extents_[mode]; }
  const std::vector<std::uint64_t>& extents() const { return extents_; }

  T* row(std::size_t mode, std::size_t i) { return data_.data() + begin_[mode] + i * stride_; }
  const T* row(std::size_t mode, std::size_t i) const { return data_.data() + begin_[mode] + i * stride_; }
  T& at(std::size_t mode, std::size_t i, std::size_t j) { return row(mode, i)[j]; }
  T at(std::size_t mode, std::size_t i, std::size_t j) const { return row(mode, i)[j]; }

  /// The whole buffer, padding included, and the part of it that belongs to one mode.
  std::span<T> flat() { return data_; }
  std::span<const T> flat() const { return data_; }
  std::span<T> mode_span(std::size_t mode) { return {row(mode, 0), extents_[mode] * stride_}; }
  std::span<const T> mode_span(std::size_t mode) const { return {row(mode, 0), extents_[mode] * stride_}; }
  std::size_t mode_begin(std::size_t mode) const { return begin_[mode]; }

  void set_zero();
  /// Puts zeros back into the padding lanes (a bound that excludes 0 would fill them).
  void clear_padding();
  /// The same for rows begin .. end-1 of one mode.
  void clear_padding(std::size_t mode, std::size_t begin, std::size_t end);
  bool all_finite() const;

  friend bool operator==(const FactorsOf&, const FactorsOf&) = default;

 private:
  std::vector<std::uint64_t> extents_;
  std::size_t rank_ = 0;
  std::size_t stride_ = 0;
  std::vector<std::size_t> begin_;
  AlignedVector<T> data_;
};

extern template class FactorsOf<double>;
extern template class FactorsOf<float>;

using Factors = FactorsOf<double>;

/// The same factors in another precision.
template <class To, class From>
FactorsOf<To> converted(const FactorsOf<From>& factors) {
  FactorsOf<To> result(factors.extents(), factors.rank());
  for (std::size_t k = 0; k < factors.modes(); ++k) {
    const auto from = factors.mode_span(k);
    const auto to = result.mode_span(k);
    for (std::size_t i = 0; i < from.size(); ++i) to[i] = static_cast<To>(from[i]);
  }
  return result;
}

}  // namespace polyad
