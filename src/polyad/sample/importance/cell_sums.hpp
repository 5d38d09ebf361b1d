#pragma once
// Sums over the components of many cells at once, for every instruction set: how large a cell's gradient is, and how likely
// the leave-one-out density draws it. With z_k = prod_{l != k} a_l(i_l, :), the products of all rows but one:
//
//   sizes:      m = sum_j prod_k a_k(i_k, j)   and   squares = sum_k norm(z_k)^2
//   density:    sum_k sum_j c_k(j) z_k(j)
//
// The gradient of f(x, m) with respect to all factors has the norm |g(x, m)| sqrt(squares). All z_k come from prefix and
// suffix products: O(r d) a cell.

#include <polyad/model/factors.hpp>
#include <polyad/sample/batch.hpp>

#include <array>
#include <cstddef>

namespace polyad {

/// Where the rows of some cells are.
struct CellRows {
  std::array<const double*, max_modes> factor{};
  std::array<const Index*, max_modes> index{};
  std::size_t modes = 0;
  std::size_t stride = 0;

  explicit CellRows(const Factors& factors) : modes(factors.modes()), stride(factors.stride()) {
    for (std::size_t k = 0; k < modes; ++k) factor[k] = factors.row(k, 0);
  }
  CellRows(const Factors& factors, const Batch& cells) : CellRows(factors) {
    for (std::size_t k = 0; k < modes; ++k) index[k] = cells.index[k].data();
  }
};

struct CellSums {
  /// For cells first .. first+count-1.
  void (*sizes)(const CellRows& rows, std::size_t first, std::size_t count, double* m, double* squares);
  /// `coefficients` holds a row of `stride` numbers a mode, zero in the padding.
  void (*density)(const CellRows& rows, const double* coefficients, std::size_t first, std::size_t count, double* out);
};

/// The kernels for this shape on the instruction set in use. Choose once, above the loops.
CellSums cell_sums(std::size_t modes, std::size_t stride);

}  // namespace polyad
