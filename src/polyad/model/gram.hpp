#pragma once
// Products of factor matrices: what norms, inner products, cosines and closed-form sums over all cells are
// made of.

#include <polyad/model.hpp>

#include <cstddef>
#include <vector>

namespace polyad {

/// A_k' B_k for mode k: a.rank() x b.rank(), row-major. The mode must have the same extent in both. Rows are
/// summed in blocks and the blocks with compensation, so that the error does not grow with the extent. O(n_k
/// r_a r_b).
std::vector<double> cross_gram(const Factors& a, const Factors& b, std::size_t mode);

/// The elementwise product of the modes' cross_gram: entry (p, q) is the inner product of component p of `a`
/// with component q of `b`, both with weight 1.
std::vector<double> component_products(const Factors& a, const Factors& b);

}  // namespace polyad
