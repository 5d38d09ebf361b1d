#pragma once
// Draws, with replacement, from the cells of a sparse tensor that are declared missing: what exact-zeros takes back from its closed
// sum over every cell. A missing cell has no value of its own, so it enters by the second weight alone:
//
//   x = 0,   w = 0,   w0 = -(M / p) v         M missing cells, p samples of them, v the weight of zeros
//
// The expected coefficient of f(0, m) at a missing cell is then v - M / p * p / M * v = 0. Cost: O(1) per sample, 4 bytes per
// missing cell.

#include <polyad/sample/draws/index_drawer.hpp>
#include <polyad/tensor/sparse.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace polyad {

class MissingDraws {
 public:
  /// From the missing cells with these numbers, at least one.
  MissingDraws(const SparseTensor& tensor, std::vector<std::uint32_t> numbers, std::size_t count)
      : tensor_(&tensor), numbers_(std::move(numbers)), count_(count) {}

  std::size_t count() const { return count_; }
  double cells() const { return static_cast<double>(numbers_.size()); }
  /// The batch must have second weights.
  void fill(const DrawKey& key, std::size_t first, Batch& batch) const;

 private:
  const SparseTensor* tensor_;
  std::vector<std::uint32_t> numbers_;
  std::size_t count_;
};

}  // namespace polyad
