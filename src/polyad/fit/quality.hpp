#pragma once
// How good a model is, in the few figures that a verdict needs: its loss between the best constant and a model that equals the
// data, and how flat the objective is where it stands. Exact where that is cheap enough, else estimated on the fixed sample,
// all three losses on the same cells, and with a standard error.

#include <polyad/loss/block.hpp>
#include <polyad/model/factors.hpp>
#include <polyad/optim/optimizer.hpp>
#include <polyad/sample/sampler.hpp>
#include <polyad/tensor/tensor.hpp>

#include <cstddef>
#include <optional>
#include <vector>

namespace polyad {

struct ModelQuality {
  double loss = 0;
  double null_loss = 0;       ///< of the best constant
  double best_loss = 0;       ///< of a model that equals the data
  double null_value = 0;      ///< the best constant, as m
  bool exact = false;         ///< over all observed cells
  double standard_error = 0;  ///< of `loss`, where it is estimated
  /// Euclidean norm of the gradient, each entry only as far as a bound leaves room for a step of the mode's typical size.
  /// Components are balanced over the modes where bounds allow it. Nothing where it would take too long.
  std::optional<double> gradient;
  /// The same times the norm of the factors, as a part of the null deviance: how much a change of the factors by their own
  /// size would gain, to first order. It does not depend on units.
  std::optional<double> relative_gradient;

  /// The part of the deviance that the model explains, 1 at best; NaN where there is none, as all data are alike.
  double explained() const;
};

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
