#pragma once
// Several starts, best kept. CP objectives have local minima and a start costs a fraction of a second, so trying a few is
// the cheapest insurance there is. Starts run side by side, one per thread; all are judged on the same estimate sample.
// Threads without a start of their own serve inside the others.
//
// The best start may go on: a stochastic start comes close quickly, an exact method takes it the rest of the way.

#include <polyad/solve/solver.hpp>

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace polyad {

struct MultistartResult {
  std::vector<StartResult> starts;  ///< in order of start number; starts never begun are left out
  std::size_t best = 0;             ///< position of the lowest finite estimate (the first one of equals)
};

/// The position of the lowest finite number (the first one of equals); 0 where none is finite.
std::size_t lowest_finite(std::span<const double> losses);

/// Runs starts 0 .. starts-1, each as `run_start(number, threads, monitor)` says. The result does not depend on
/// `threads`. Once interrupted (or out of time) no further start is begun, but start 0 always is.
MultistartResult multistart(
    std::size_t starts, std::size_t threads, const Monitor& monitor, const std::function<bool()>& out_of_time,
    const std::function<StartResult(std::size_t start, ThreadBudget threads, const Monitor&)>& run_start);

/// Makes the result of a run from the end of `start` that start's own: factors, objective and reason; its rows follow in the
/// trace.
void continue_start(StartResult& start, StartResult more);

/// Runs `solver` from the end of `start` and makes its result that start's: factors, objective (now exact) and reason; its
/// rows follow in the trace, the first of them the exact objective at the handover.
void finish_start(const Solver& solver, StartResult& start, const StartContext& context);

}  // namespace polyad
