#pragma once
// What comparing components is made of: products of factor matrices (norms, cosines and closed-form sums over all cells need them
// too), the best matching of two models, the likeness of several starts, components that do no work.

#include <polyad/base/json.hpp>
#include <polyad/model.hpp>

#include <cstddef>
#include <vector>

namespace polyad {

/// A_k' B_k for mode k: a.rank() x b.rank(), row-major. The mode must have the same extent in both. Rows are summed in blocks and
/// the blocks with compensation, so that the error does not grow with the extent. O(n_k r_a r_b).
std::vector<double> cross_gram(const Factors& a, const Factors& b, std::size_t mode);

/// The elementwise product of the modes' cross_gram: entry (p, q) is the inner product of component p of `a` with component q of
/// `b`, both with weight 1.
std::vector<double> component_products(const Factors& a, const Factors& b);

/// The assignment with the largest total for a rows x cols profit matrix (row-major, finite): column of each row, or npos where
/// cols < rows leaves a row without one; as many rows as can be are matched, at a loss if need be. Exact, by shortest
/// augmenting paths (Jonker & Volgenant 1987): O(min(rows, cols)^2 max(rows, cols)).
std::vector<std::size_t> best_assignment(const std::vector<double>& profit, std::size_t rows, std::size_t cols);

/// See json_text.
Json to_json(const Score& score);

/// `solutions` in order of starts; `best` is the kept model in its final order and stands at `position`. Solutions that
/// are not finite count as unlike (score 0). O(pairs x sum n_k r^2); empty for one start, or where even the comparison
/// with the best would take too long.
StartLikeness start_likeness(const std::vector<KTensor>& solutions, const KTensor& best, std::size_t position);
/// {"start-likeness": {"best", "matrix"}, "component-stability"}, as diagnostics of a model file.
void add_likeness(Json& diagnostics, const StartLikeness& likeness);

/// Dead: a weight (with unit columns) of at most this part of the largest one. A copy: the product over the modes of the cosines
/// between two components is at least this.
inline constexpr double dead_weight = 1e-9;
inline constexpr double copy_cosine = 0.995;
/// The model may be scaled in any way. O(sum n_k r^2).
IdleComponents idle_components(const KTensor& model);

}  // namespace polyad
