#pragma once
// What verdicts (polyad/fit.hpp) are made from, and how they are written down.
//
// How good a model is, in the few figures that a verdict needs: its loss between the best constant and a model that equals the
// data, and how flat the objective is where it stands. Exact where that is cheap enough, else estimated on the fixed sample,
// all three losses on the same cells, and with a standard error.

#include <polyad/base/json.hpp>
#include <polyad/fit.hpp>
#include <polyad/optim/optimizer.hpp>
#include <polyad/sample/sampler.hpp>

#include <cstddef>
#include <optional>
#include <vector>

namespace polyad {

/// The same facts for model files and scripts, with the sentence and the warnings.
Json to_json(const FitVerdict& verdict);

/// The part of `deviance` by which the estimate changed in the last epoch that was kept; nothing without epochs at the end.
std::optional<double> last_change(const Trace& trace, double deviance);
/// The likeness of the best start to the one most like it; nothing for one start.
std::optional<double> nearest_start(const StartLikeness& likeness, std::size_t best);

/// References to things that outlive the call.
struct QualityRequest {
  const Tensor& tensor;
  const Loss& loss;
  const std::vector<Segment>& segments;  ///< bounds of each mode
  const SampleOptions& sample;           ///< of the estimate
  double most_cells = 0;                 ///< evaluations of the model that may be spent on exact figures
  std::size_t threads = 1;
};

ModelQuality model_quality(const Factors& model, const QualityRequest& request);

}  // namespace polyad
