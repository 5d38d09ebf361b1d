#pragma once
// Draws, with replacement, of observed cells of a dense tensor, optionally only of those within a box whose
// values lie in a range:  w = (cells / s) w_i.

#include <polyad/sample/draws/box.hpp>
#include <polyad/sample/draws/index_drawer.hpp>
#include <polyad/tensor/dense.hpp>

#include <vector>

namespace polyad {

class DenseDraws {
 public:
  /// From all observed cells.
  DenseDraws(const DenseTensor& tensor, std::size_t count);
  /// From the `cells` observed cells of a box with values in a range, at least one.
  DenseDraws(const DenseTensor& tensor, const Box& box, const ValueRange& values, std::uint64_t cells,
             std::size_t count);

  std::size_t count() const { return count_; }
  double cells() const { return static_cast<double>(cells_); }
  void fill(const DrawKey& key, std::size_t first, Batch& batch) const;

 private:
  void fill_cells(const DrawKey& key, std::size_t first, Batch& batch) const;

  const DenseTensor* tensor_;
  ValueRange values_;
  std::uint64_t cells_;
  std::size_t count_;
  IndexDrawer drawer_;
  std::size_t candidates_ = 0;
  bool all_admitted_ = false;  ///< every cell of the box is: nothing to reject
  bool from_list_ = false;
  std::vector<std::uint64_t> list_;  ///< positions; empty where the tensor's own list of observed cells serves
};

}  // namespace polyad
