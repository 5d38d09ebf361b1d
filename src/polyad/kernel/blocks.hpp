#pragma once
// The two stages that depend on rank and number of modes, over blocks of samples. The loss sits between them:
//
//   model:    m_t = sum_j prod_k a_k(i_kt, j)                            (values of the model at the block's cells)
//   scatter:  g_k(i_kt, :) += y_t * prod_{l != k} a_l(i_lt, :), all k    (sampled MTTKRP, Sec. 4 of the paper)
//
// Staging turns loss x rank x modes into a sum of specialisations instead of a product. Both are specialised on the row
// length up to 16 components and on 2 to 5 modes, with plain loops beyond, for every instruction set and both precisions.
// Cost O(s r d) in all: the products of all but one row come from prefix and suffix products, not from d separate passes.

#include <polyad/kernel/cell_rows.hpp>

#include <cstddef>

namespace polyad {

/// Samples a block: small enough that everything between the stages stays in the first-level cache.
inline constexpr std::size_t block_samples = 64;

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

}  // namespace polyad
