#pragma once
// Makes uniformly chosen cells of a tensor missing, and keeps what was in them. The caller says which random numbers to use.

#include <polyad/base/rng.hpp>
#include <polyad/cells.hpp>
#include <polyad/detail/aligned.hpp>
#include <polyad/tensor/sparse.hpp>

#include <cstdint>

namespace polyad {

/// round(fraction * cells), but at least one cell stays.
std::uint64_t hidden_count(const IndexSpace& space, double fraction);

/// Puts NaN into `hidden_count` cells; returns them with the values they had.
Records hide_dense(const IndexSpace& space, AlignedVector<double>& values, double fraction, Generator generator);

/// Declares `hidden_count` cells missing: those that were listed leave the list; returns all with the values
/// they had. The mask is a list, so a fraction of a vast space is refused (usage error).
Records hide_sparse(SparseTensor& tensor, double fraction, Generator generator);

}  // namespace polyad
