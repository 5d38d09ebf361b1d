#pragma once
// Objective and gradient over a batch, staged in blocks of samples: model values -> loss block -> scatter. Weights of the
// model are taken as 1 (a solver keeps everything in the factors).

#include <polyad/loss/block.hpp>
#include <polyad/model/factors.hpp>
#include <polyad/sample/batch.hpp>

namespace polyad {

/// F~ of the batch (see batch.hpp), accumulated in double with compensated sums. `threads` only changes the time.
double estimate(const Factors& model, const Batch& batch, const Loss& loss, std::size_t threads = 1);

/// Overwrites `gradient` (same shape as `model`) with the batch's gradient for all modes.
void sampled_gradient(const Factors& model, const Batch& batch, const Loss& loss, Factors& gradient);

/// Sum over all cells of f(0, m) where the loss has it in closed form (info().zero_sum), and `scale` times its gradient
/// added to `gradient`. O(sum n_k r^2) at most.
double zero_sum_value(const Factors& model, ZeroSum form);
void add_zero_sum_gradient(const Factors& model, ZeroSum form, double scale, Factors& gradient);

/// Model values m at the batch's cells; out has batch.size() entries.
void model_values(const Factors& model, const Batch& batch, double* out);

}  // namespace polyad
