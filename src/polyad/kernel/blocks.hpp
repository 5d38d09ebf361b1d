#pragma once
// The two stages that depend on rank and number of modes, over one block of samples. The loss sits between them:
//
//   model_block:    m_t = sum_j prod_k a_k(i_kt, j)                            (values of the model at the block's cells)
//   scatter_block:  g_k(i_kt, :) += y_t * prod_{l != k} a_l(i_lt, :), all k    (sampled MTTKRP, Sec. 4 of the paper)
//
// Staging turns loss x rank x modes into a sum of specialisations instead of a product. Both are specialised on the row
// length up to 64 components and on 2 to 6 modes, with a plain loop beyond. Cost O(s r d) in all: the products of all but
// one row come from prefix and suffix products, not from d separate passes.

#include <polyad/model/factors.hpp>
#include <polyad/sample/batch.hpp>

#include <cstddef>

namespace polyad {

/// Samples a block: small enough that everything between the stages stays in the first-level cache.
inline constexpr std::size_t block_samples = 64;

/// m[0 .. count-1] for samples first .. first+count-1 of the batch.
void model_block(const Factors& model, const Batch& batch, std::size_t first, std::size_t count, double* m);

/// Adds the block's contributions to `gradient`, in sample order.
void scatter_block(const Factors& model, const Batch& batch, std::size_t first, std::size_t count, const double* y,
                   Factors& gradient);

}  // namespace polyad
