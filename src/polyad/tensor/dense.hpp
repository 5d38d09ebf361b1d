#pragma once
// A tensor with a value in every cell, in C order (the last mode varies fastest). NaN marks a missing cell.

#include <polyad/cells.hpp>
#include <polyad/detail/mappable.hpp>
#include <polyad/tensor/facts.hpp>

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>

namespace polyad {

class DenseTensor {
 public:
  /// `values` has exactly the space's cells; infinities are a data error that names the cell. NaN is missing.
  DenseTensor(IndexSpace space, Mappable<double> values);
  /// Values and weights (empty: none) that polyad itself has written, with what it knew of them: they are not looked at, but
  /// to list the observed cells where these are few.
  DenseTensor(IndexSpace space, Mappable<double> values, Mappable<double> weights, const TensorFacts& facts);

  /// Gives each cell a weight >= 0 (finite); weight 0 makes the cell missing. Replaces earlier weights.
  void set_weights(AlignedVector<double> weights);
  /// Makes cells missing, in addition to those that are; `cells` are positions in C order.
  void set_missing(std::span<const std::uint64_t> cells);

  const IndexSpace& space() const { return space_; }
  std::span<const double> values() const { return {values_.data(), values_.size()}; }
  bool mapped() const { return values_.mapped(); }
  void expect_random_reads() const {
    values_.expect_random_reads();
    weights_.expect_random_reads();
  }
  /// nullptr where nobody has looked.
  const TensorFacts* facts() const { return facts_ ? &*facts_ : nullptr; }
  bool weighted() const { return !weights_.empty(); }
  double value(std::uint64_t cell) const { return values_[cell]; }
  bool missing(std::uint64_t cell) const { return std::isnan(values_[cell]); }
  /// Empty: none.
  std::span<const double> weights() const { return {weights_.data(), weights_.size()}; }
  double weight(std::uint64_t cell) const { return weights_.empty() ? 1.0 : weights_[cell]; }

  std::uint64_t cells() const { return values_.size(); }
  std::uint64_t observed() const { return observed_; }  ///< cells that are not missing
  /// Where few cells are observed, their positions in increasing order, so that draws need no rejection; else
  /// empty.
  std::span<const std::uint64_t> observed_list() const { return observed_list_; }

  std::uint64_t position(std::span<const Index> index) const;
  /// cell[t] = the position of the cell whose index in mode k is index[k][first + t], t < count.
  void positions(std::span<const AlignedVector<Index>> index, std::size_t first, std::size_t count,
                 std::uint64_t* cell) const;
  void index_of(std::uint64_t cell, std::span<Index> index) const;

 private:
  void lay_out();
  void count_observed();
  void list_observed();

  IndexSpace space_;
  Mappable<double> values_;
  Mappable<double> weights_;
  std::vector<std::uint64_t> strides_;
  std::uint64_t observed_ = 0;
  std::vector<std::uint64_t> observed_list_;
  std::optional<TensorFacts> facts_;
};

}  // namespace polyad
