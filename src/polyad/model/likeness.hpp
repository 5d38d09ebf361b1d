#pragma once
// How alike the solutions of several starts are, and which components of the best one others found too: what is found
// from any start can be trusted more than what one start alone has seen.

#include <polyad/base/json.hpp>
#include <polyad/model/ktensor.hpp>

#include <vector>

namespace polyad {

struct StartLikeness {
  std::vector<double> to_best;              ///< score of each start against the best
  std::vector<std::vector<double>> matrix;  ///< score of each pair; empty where that would take too long
  /// For each component of the best the part of the other starts that have it, with a product of cosines of at least 0.9.
  std::vector<double> stability;
};

/// `solutions` in order of starts; `best` is the kept model in its final order and stands at `position`. Solutions that
/// are not finite count as unlike (score 0). O(pairs x sum n_k r^2); empty for one start, or where even the comparison
/// with the best would take too long.
StartLikeness start_likeness(const std::vector<KTensor>& solutions, const KTensor& best, std::size_t position);

/// {"start-likeness": {"best", "matrix"}, "component-stability"}, as diagnostics of a model file.
void add_likeness(Json& diagnostics, const StartLikeness& likeness);

}  // namespace polyad
