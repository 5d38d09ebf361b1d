#pragma once
// The objective and the gradient of a batch (batch.hpp). With the exhaustive batch both are exact. Component weights are
// taken as 1: solvers keep everything in the factors.

#include <polyad/kernel/batch.hpp>
#include <polyad/loss.hpp>
#include <polyad/model.hpp>

#include <cstddef>
#include <vector>

namespace polyad {

/// The objective (EstObj in the paper): sum_t w f(x,m) + w0 f(0,m), plus c times the closed-form sum over all zeros. Sums are
/// compensated and run over fixed chunks, so the result does not depend on the number of threads. A model in single
/// precision is evaluated in single, the loss and its sum in double precision.
template <class T>
double estimate(const FactorsOf<T>& model, const Batch& batch, const Loss& loss, std::size_t threads = 1);

/// What the model says of each cell of a batch.
std::vector<double> model_values(const Factors& model, const Batch& batch);

/// Samples that `estimate` sums one after the other.
inline constexpr std::size_t chunk_samples = 1 << 14;

/// The gradient for all modes: model values -> y = w g(x,m) + w0 g(0,m) -> scatter, plus c times the closed-form gradient
/// over all zeros where the batch asks for it. Overwrites `gradient`, which has the shape of `model`.
template <class T>
void sampled_gradient(const FactorsOf<T>& model, const Batch& batch, const Loss& loss, FactorsOf<T>& gradient);

/// The sampled part alone, times `scale`, added to what `rows.gradient` points to: for parts of a batch that share some
/// modes and own others. (In single precision a scale keeps the squares of gradients within range.) Padding lanes of a
/// model with a single mode are filled with rubbish: clear them.
template <class T>
void add_sampled_gradient(const CellRowsOf<T>& rows, const Batch& batch, const Loss& loss, double scale);

}  // namespace polyad
