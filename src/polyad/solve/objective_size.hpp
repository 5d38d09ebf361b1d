#pragma once
// How large differences of an objective are: what there is to explain.

#include <polyad/loss.hpp>
#include <polyad/tensor/tensor.hpp>

namespace polyad {

/// About the loss of the best constant model less that of a model that equals the data, from a sample of cells. It is multiplied
/// with the weights, and with the unit of the data as the loss is. Data that are all alike: the sum of all weights.
double size_of_objective(const Tensor& tensor, const Loss& loss);

/// The m of the best constant model, from the same sample.
double best_constant(const Tensor& tensor, const Loss& loss);

}  // namespace polyad
