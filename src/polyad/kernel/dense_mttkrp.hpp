#pragma once
// MTTKRP of the data in every cell: out_k(i_k, :) = sum over cells of w x prod_{l != k} a_l(i_l, :), O(cells r).

#include <polyad/kernel/cell_source.hpp>
#include <polyad/model/factors.hpp>

#include <cstddef>

namespace polyad {

/// Overwrites mode `mode` of `out`, which has the shape of `model`. Missing cells count as zeros.
void dense_mttkrp(const Factors& model, const CellSource& source, std::size_t mode, std::size_t threads, Factors& out);

}  // namespace polyad
