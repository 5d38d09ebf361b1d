#pragma once
// The one place that writes y = w g(x, m) + w0 g(0, m) over a block of cells: what a cell adds to the gradient where zeros are
// corrected for (semi-stratified and exact-zeros batches, listed cells of exact gradients, sizes of nonzeros).

#include <polyad/detail/aligned.hpp>
#include <polyad/loss.hpp>

#include <array>
#include <cmath>
#include <cstddef>

namespace polyad {

/// Cells in a block, at most.
inline constexpr std::size_t most_block_cells = 64;

/// `weigh(t, g)` is w_t g, `zero_weight(t)` is w0_t. Where g(0, m) is the same for every m it is not evaluated.
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
  constexpr std::array<T, most_block_cells> zeros{};
  alignas(cache_line) std::array<T, most_block_cells> g0;
  loss.derivatives(count, zeros.data(), m, g0.data());
  for (std::size_t t = 0; t < count; ++t) y[t] += static_cast<T>(zero_weight(t)) * g0[t];
}

}  // namespace polyad
