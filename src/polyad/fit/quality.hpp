#pragma once
// How good a model is, in the few figures that a verdict needs: its loss between the best constant and a model that equals the
// data, and how flat the objective is where it stands. Exact where that is cheap enough, else estimated on the fixed sample,
// all three losses on the same cells, and with a standard error.

#include <polyad/fit.hpp>
#include <polyad/optim/optimizer.hpp>
#include <polyad/sample/sampler.hpp>

#include <cstddef>
#include <vector>

namespace polyad {

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
