#pragma once
// The objective of a batch (EstObj in the paper): sum_t w f(x,m) + w0 f(0,m), plus c times the closed-form sum over all
// zeros. Sums are compensated and run over fixed chunks, so the result does not depend on the number of threads.

#include <polyad/kernel/batch.hpp>
#include <polyad/loss.hpp>
#include <polyad/model.hpp>
#include <polyad/tensor/tensor.hpp>

#include <optional>

namespace polyad {

/// A model in single precision is evaluated in single, the loss and its sum in double precision.
template <class T>
double estimate(const FactorsOf<T>& model, const Batch& batch, const Loss& loss, std::size_t threads = 1);

/// The exact objective F over all observed cells, where that takes at most `max_cells` evaluations of the model: every
/// cell of a dense tensor; for sparse ones the listed cells alone where the zeros have a closed form (O(nnz r d)), every
/// cell otherwise. Empty where it would take more.
std::optional<double> exact_objective(const Factors& model, const Tensor& tensor, const Loss& loss, double max_cells,
                                      std::size_t threads = 1);

}  // namespace polyad
