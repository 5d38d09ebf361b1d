#pragma once
// Row by row over listed cells: the products pi_t = prod_{l != k} a_l(i_lt, :) of all cells in one row of mode k, which the
// subproblem of that row is made of (CP-APR), and the MTTKRP of the data, which sums them up (CP-ALS):
//
//   out_k(i_k, :) = sum over cells of w x pi_t
//
// Products of a short row are computed once and kept; those of a long one come block by block whenever they are asked for,
// which is cheaper than fetching them from memory.

#include <polyad/detail/aligned.hpp>
#include <polyad/kernel/listed_blocks.hpp>
#include <polyad/kernel/listed_cells.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>

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

/// Calls work(first_row, end_row) for fixed ranges of rows with about equal numbers of cells, the largest first.
void for_row_ranges(const ListedCells& cells, std::size_t threads,
                    const std::function<void(std::size_t first_row, std::size_t end_row)>& work);

/// O(nnz r d). Mode cells.mode of `out` is overwritten; `out` has the shape of `model`. Each row is summed by one thread, cell
/// by cell in their order. (dense_mttkrp visits every cell.)
void sparse_mttkrp(const Factors& model, const ListedCells& cells, std::size_t threads, Factors& out);

}  // namespace polyad
