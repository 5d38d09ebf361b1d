#pragma once
// The gradient of a batch (batch.hpp) for all modes: the corridor
//   model values -> y = w g(x,m) + w0 g(0,m) -> scatter,
// plus c times the closed-form gradient over all zeros where the batch asks for it. With the exhaustive batch this is the
// exact gradient. Component weights are taken as 1: solvers keep everything in the factors.

#include <polyad/loss/block.hpp>
#include <polyad/model/factors.hpp>
#include <polyad/sample/batch.hpp>

namespace polyad {

/// Overwrites `gradient`, which has the shape of `model`.
void sampled_gradient(const Factors& model, const Batch& batch, const Loss& loss, Factors& gradient);

}  // namespace polyad
