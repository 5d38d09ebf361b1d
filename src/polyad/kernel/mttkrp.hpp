#pragma once
// MTTKRP of the data, exact: out_k(i_k, :) = sum over cells of w x prod_{l != k} a_l(i_l, :), over every cell or over the listed
// ones.

#include <polyad/kernel/cell_source.hpp>
#include <polyad/kernel/listed_cells.hpp>
#include <polyad/model.hpp>

#include <cstddef>
#include <functional>

namespace polyad {

/// Every cell, O(cells r). Overwrites mode `mode` of `out`, which has the shape of `model`. Missing cells count as zeros.
void dense_mttkrp(const Factors& model, const CellSource& source, std::size_t mode, std::size_t threads, Factors& out);

/// Listed cells, O(nnz r d). Mode cells.mode of `out` is overwritten; `out` has the shape of `model`. Rows are summed by one
/// thread each, cell by cell in their order.
void sparse_mttkrp(const Factors& model, const ListedCells& cells, std::size_t threads, Factors& out);

/// Calls work(first_row, end_row) for fixed ranges of rows with about equal numbers of cells, the largest first.
void for_row_ranges(const ListedCells& cells, std::size_t threads,
                    const std::function<void(std::size_t first_row, std::size_t end_row)>& work);

}  // namespace polyad
