#pragma once
// Draws, with replacement, of observed cells of a sparse tensor, looked up one by one (Alg. 1 on sparse data):
//   x the cell's value, w = (omega / s) w_i.

#include <polyad/sample/draws/zero_draws.hpp>

namespace polyad {

class CellDraws {
 public:
  /// From a box that has `cells` observed cells, at least one.
  CellDraws(const SparseTensor& tensor, const Box& box, double cells, std::size_t count);

  std::size_t count() const { return draws_.count(); }
  double cells() const { return draws_.cells(); }
  void fill(const DrawKey& key, std::size_t first, Batch& batch) const;

 private:
  const SparseTensor* tensor_;
  ZeroDraws draws_;
};

}  // namespace polyad
