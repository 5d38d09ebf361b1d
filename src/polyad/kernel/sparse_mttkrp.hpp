#pragma once
// MTTKRP of listed cells: out_k(i, :) = sum over the cells of row i of w x prod_{l != k} a_l(i_l, :), O(nnz r d). Rows are
// summed by one thread each, cell by cell in their order.

#include <polyad/kernel/listed_cells.hpp>
#include <polyad/model/factors.hpp>

#include <cstddef>
#include <functional>

namespace polyad {

/// Mode cells.mode of `out` is overwritten; `out` has the shape of `model`.
void sparse_mttkrp(const Factors& model, const ListedCells& cells, std::size_t threads, Factors& out);

/// Calls work(first_row, end_row) for fixed ranges of rows with about equal numbers of cells, the largest first.
void for_row_ranges(const ListedCells& cells, std::size_t threads,
                    const std::function<void(std::size_t first_row, std::size_t end_row)>& work);

}  // namespace polyad
