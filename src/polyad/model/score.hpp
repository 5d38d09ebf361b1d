#pragma once
// How alike two models are (App. E of the paper): the mean over matched components of the product over modes
// of the columns' cosines, under the best matching. The matching is an assignment problem, solved exactly in
// O(r^3).

#include <polyad/model/ktensor.hpp>

#include <cstddef>
#include <vector>

namespace polyad {

struct Score {
  double value = 0;                ///< 1: the same up to order and scale; "recovered" means at least 0.9
  std::vector<std::size_t> match;  ///< component of `b` for each component of `a` (npos where b has fewer)
  std::vector<double> cosines;     ///< product of cosines for each component of `a`
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);
};

/// Ranks may differ: the mean is over the components of `a`, unmatched ones count 0. Shapes must agree (usage
/// error) and entries be finite (data error). Signs: the product of cosines is taken as it is, so flips in an
/// even number of modes do not matter; a negative weight counts as a flip, and a component that is zero (a
/// zero column, weight 0) as cosine 0, so that the score does not depend on how a model is normalised.
Score score(const KTensor& a, const KTensor& b);

/// The assignment with the largest total for a rows x cols profit matrix (row-major, finite): column of each
/// row, or npos where cols < rows leaves a row without one; as many rows as can be are matched, at a loss if
/// need be. Exact, by shortest augmenting paths (Jonker & Volgenant 1987): O(min(rows, cols)^2 max(rows,
/// cols)).
std::vector<std::size_t> best_assignment(const std::vector<double>& profit, std::size_t rows, std::size_t cols);

}  // namespace polyad
