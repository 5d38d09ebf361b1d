#pragma once
// The loops of the update rules, compiled for every instruction set (step_simd.cpp).

#include <polyad/optim/optimizer.hpp>

namespace polyad::detail {

struct StepBounds {
  double lower;
  double upper;
};

/// One piece, one step. `clear`: leaves zeros in the gradient.
void run_step(OptimizerKind kind, AdamForm form, const StepNumbers& numbers, const StepArrays<double>& piece,
              const StepBounds& bounds, bool clear);
void run_step(OptimizerKind kind, AdamForm form, const StepNumbers& numbers, const StepArrays<float>& piece,
              const StepBounds& bounds, bool clear);

}  // namespace polyad::detail
