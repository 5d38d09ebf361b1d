#pragma once
// The gradient of a batch (batch.hpp) for all modes: the corridor
//   model values -> y = w g(x,m) + w0 g(0,m) -> scatter,
// plus c times the closed-form gradient over all zeros where the batch asks for it. With the exhaustive batch this is the
// exact gradient. Component weights are taken as 1: solvers keep everything in the factors.

#include <polyad/kernel/batch.hpp>
#include <polyad/kernel/blocks.hpp>
#include <polyad/loss.hpp>
#include <polyad/model.hpp>

namespace polyad {

/// Overwrites `gradient`, which has the shape of `model`.
template <class T>
void sampled_gradient(const FactorsOf<T>& model, const Batch& batch, const Loss& loss, FactorsOf<T>& gradient);

/// The sampled part alone, times `scale`, added to what `rows.gradient` points to: for parts of a batch that share some
/// modes and own others. (In single precision a scale keeps the squares of gradients within range.) Padding lanes of a
/// model with a single mode are filled with rubbish: clear them.
template <class T>
void add_sampled_gradient(const CellRowsOf<T>& rows, const Batch& batch, const Loss& loss, double scale);

}  // namespace polyad
