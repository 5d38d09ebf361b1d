#pragma once
// An exact finish: a stochastic start comes close quickly, an exact method takes it the rest of the way.

#include <polyad/solve/solver.hpp>

namespace polyad {

/// Makes the result of a run from the end of `start` that start's own: factors, objective and reason; its rows follow in the
/// trace.
void continue_start(StartResult& start, StartResult more);

/// Runs `solver` from the end of `start` and makes its result that start's: factors, objective (now exact) and reason; its
/// rows follow in the trace, the first of them the exact objective at the handover.
void finish_start(const Solver& solver, StartResult& start, const StartContext& context);

}  // namespace polyad
