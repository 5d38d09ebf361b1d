#pragma once
// All factor matrices in one aligned buffer. Row i of mode k holds the r components of that index side by
// side, padded with zeros to a multiple of four doubles, so that kernels run whole vectors over a row. An
// optimiser sees the buffer as one flat span; gaps and padding are zero in parameters and gradients alike and
// stay so.

#include <polyad/base/aligned.hpp>
#include <polyad/tensor/index_space.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace polyad {

/// Doubles a row for a given rank.
constexpr std::size_t row_stride(std::size_t rank) {
  return (rank + 3) / 4 * 4;
}

class Factors {
 public:
  Factors() = default;
  /// All zeros.
  Factors(std::vector<std::uint64_t> extents, std::size_t rank);

  std::size_t modes() const { return extents_.size(); }
  std::size_t rank() const { return rank_; }
  std::size_t stride() const { return stride_; }
  std::size_t rows(std::size_t mode) const { return extents_[mode]; }
  const std::vector<std::uint64_t>& extents() const { return extents_; }

  double* row(std::size_t mode, std::size_t i) { return data_.data() + begin_[mode] + i * stride_; }
  const double* row(std::size_t mode, std::size_t i) const { return data_.data() + begin_[mode] + i * stride_; }
  double& at(std::size_t mode, std::size_t i, std::size_t j) { return row(mode, i)[j]; }
  double at(std::size_t mode, std::size_t i, std::size_t j) const { return row(mode, i)[j]; }

  /// The whole buffer, padding included, and the part of it that belongs to one mode.
  std::span<double> flat() { return data_; }
  std::span<const double> flat() const { return data_; }
  std::span<double> mode_span(std::size_t mode) { return {row(mode, 0), extents_[mode] * stride_}; }
  std::span<const double> mode_span(std::size_t mode) const { return {row(mode, 0), extents_[mode] * stride_}; }
  std::size_t mode_begin(std::size_t mode) const { return begin_[mode]; }

  void set_zero();
  /// Puts zeros back into the padding lanes (a bound that excludes 0 would fill them).
  void clear_padding();
  bool all_finite() const;

  friend bool operator==(const Factors&, const Factors&) = default;

 private:
  std::vector<std::uint64_t> extents_;
  std::size_t rank_ = 0;
  std::size_t stride_ = 0;
  std::vector<std::size_t> begin_;
  AlignedVector<double> data_;
};

}  // namespace polyad
