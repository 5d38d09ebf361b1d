#pragma once
// Sums over the components of many cells at once, for every instruction set: how large a cell's gradient is, and how likely
// the leave-one-out density draws it. With z_k = prod_{l != k} a_l(i_l, :), the products of all rows but one:
//
//   sizes:      m = sum_j prod_k a_k(i_k, j)   and   squares = sum_k norm(z_k)^2
//   density:    sum_k sum_j c_k(j) z_k(j)
//
// The gradient of f(x, m) with respect to all factors has the norm |g(x, m)| sqrt(squares). All z_k come from prefix and
// suffix products: O(r d) per cell.

#include <polyad/kernel/batch.hpp>

#include <cstddef>

namespace polyad {

struct CellSums {
  /// For cells first .. first+count-1.
  void (*sizes)(const CellRows& rows, std::size_t first, std::size_t count, double* m, double* squares);
  /// `coefficients` holds a row of `stride` numbers per mode, zero in the padding.
  void (*density)(const CellRows& rows, const double* coefficients, std::size_t first, std::size_t count, double* out);
};

/// The kernels for this shape on the instruction set in use. Choose once, above the loops.
CellSums cell_sums(std::size_t modes, std::size_t stride);

}  // namespace polyad
