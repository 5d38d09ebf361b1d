#pragma once
// The products pi_t = prod_{l != k} a_l(i_lt, :) of all listed cells in one row of mode k: what the subproblem of that row is
// made of. Products of a short row are computed once and kept; those of a long one come block by block whenever they are
// asked for, which is cheaper than fetching them from memory.

#include <polyad/detail/aligned.hpp>
#include <polyad/kernel/cell_blocks.hpp>
#include <polyad/kernel/listed_cells.hpp>

#include <algorithm>
#include <cstddef>

namespace polyad {

class RowProducts {
 public:
  /// Both must outlive it; rows of cells.mode may change, those of the other modes may not while a row is worked on.
  RowProducts(const ListedCells& cells, const Factors& model);

  void choose(std::size_t row);
  std::size_t size() const { return end_ - begin_; }
  /// The row's cells are begin() .. end()-1 of the listed ones.
  std::size_t begin() const { return begin_; }
  std::size_t end() const { return end_; }

  /// Calls visit(first, count, pi) for blocks of the row's cells: positions within the listed cells, rows of model.stride().
  template <class Visit>
  void for_blocks(const Visit& visit) {
    for (std::size_t first = begin_; first < end_; first += block_cells) {
      const std::size_t count = std::min(block_cells, end_ - first);
      visit(first, count, kept_ ? pi_.data() + (first - begin_) * rows_.stride : products(first, count));
    }
  }

 private:
  const double* products(std::size_t first, std::size_t count);

  const ListedCells& cells_;
  CellRows rows_;
  AlignedVector<double> pi_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool kept_ = false;
};

}  // namespace polyad
