#pragma once
// What "auto" means. Chosen by measurement on the paper's problems and on real data: docs/design/0003-defaults.md.

#include <polyad/fit/options.hpp>
#include <polyad/loss/block.hpp>
#include <polyad/model/ktensor.hpp>
#include <polyad/tensor/tensor.hpp>

namespace polyad {

/// The options with everything that is auto filled in for this tensor and loss. A given starting model means one start
/// unless more are asked for.
FitOptions with_defaults(const FitOptions& options, const Tensor& tensor, const Loss& loss,
                         const KTensor* start_model = nullptr);

}  // namespace polyad
