#pragma once
// What happens to a block of cells in any order, in three stages:
//
//   model:    m_t = sum_j prod_k a_k(i_kt, j)                            (values of the model at the block's cells)
//   y:        y_t = w_t g(x_t, m_t) + w0_t g(0, m_t)                     (weighted_derivatives)
//   scatter:  g_k(i_kt, :) += y_t * prod_{l != k} a_l(i_lt, :), all k    (sampled MTTKRP, Sec. 4 of the paper)
//
// Staging turns loss x rank x modes into a sum of specialisations instead of a product. The first and last stage are
// specialised on the row length up to 16 components and on 2 to 5 modes, with plain loops beyond, for every instruction set
// and both precisions. Cost O(s r d) in all: the products of all but one row come from prefix and suffix products, not from d
// separate passes.

#include <polyad/detail/aligned.hpp>
#include <polyad/kernel/batch.hpp>
#include <polyad/loss.hpp>

#include <array>
#include <cmath>
#include <cstddef>

namespace polyad {

template <class T>
struct BlockKernels {
  /// m[0 .. count-1] for samples first .. first+count-1.
  void (*model)(const CellRowsOf<T>& rows, std::size_t first, std::size_t count, T* m);
  /// Adds the contributions of samples first .. first+count-1 to the gradient, in sample order.
  void (*scatter)(const CellRowsOf<T>& rows, std::size_t first, std::size_t count, const T* y);
};

/// The kernels for this shape on the instruction set in use (base/simd_target.hpp). Choose once, above the loops.
template <class T>
BlockKernels<T> block_kernels(std::size_t modes, std::size_t stride);

/// The one place that writes y = w g(x, m) + w0 g(0, m), for at most block_cells cells: batches, listed cells of exact
/// gradients, sizes of nonzeros. `weigh(t, g)` is w_t g, `zero_weight(t)` is w0_t. Where g(0, m) is the same for every m it is
/// not evaluated.
template <class T, class Weigh, class ZeroWeight>
void weighted_derivatives(const Loss& loss, std::size_t count, const T* x, const T* m, bool with_zeros,
                          const Weigh& weigh, const ZeroWeight& zero_weight, T* __restrict y) {
  loss.derivatives(count, x, m, y);
  for (std::size_t t = 0; t < count; ++t) y[t] = weigh(t, y[t]);
  if (!with_zeros) return;
  const double slope = loss.info().zero_slope;
  if (!std::isnan(slope)) {
    for (std::size_t t = 0; t < count; ++t) y[t] += static_cast<T>(zero_weight(t) * slope);
    return;
  }
  constexpr std::array<T, block_cells> zeros{};
  alignas(cache_line) std::array<T, block_cells> g0;
  loss.derivatives(count, zeros.data(), m, g0.data());
  for (std::size_t t = 0; t < count; ++t) y[t] += static_cast<T>(zero_weight(t)) * g0[t];
}

}  // namespace polyad
