#pragma once
// L-BFGS-B: limited-memory quasi-Newton with bounds, by the authors' own Fortran code (version 3.0).
//
//   Byrd, Lu, Nocedal, Zhu: A limited memory algorithm for bound constrained optimization (1995)
//   Morales, Nocedal: Remark on Algorithm 778 (2011)
//
// An iteration costs O(pairs n) beside the evaluations of the objective, about 1.1 of them.

#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace polyad {

struct LbfgsbSettings {
  std::size_t pairs = 10;         ///< corrections remembered
  double tolerance = 0;           ///< ends where an iteration lowers f by less than this fraction; 0: never
  double gradient_tolerance = 0;  ///< ends where no entry of the projected gradient exceeds this
  double least = 1;               ///< where f is smaller, the tolerance is a fraction of this
};

/// After each iteration.
struct LbfgsbIteration {
  double f = 0;
  double projected_gradient = 0;  ///< its largest entry by magnitude
};

enum class LbfgsbEnd {
  gradient,   ///< the projected gradient is within its tolerance
  tolerance,  ///< the decrease is
  no_step,    ///< no step along the search direction lowers f any more
  asked,      ///< a caller's function asked to end
};

/// f at x, and its gradient. An f that is not finite means "too far": a shorter step is tried. Returns false to end.
using LbfgsbObjective = std::function<bool(std::span<const double> x, double& f, std::span<double> gradient)>;

/// The code sees f divided by a power of two that makes the largest slope as large as x at first: its first step, along the
/// gradient, then is one, whatever the units of f and x are.
///
/// Minimises from x, which ends at the last iterate. Bounds may be infinite. `on_iteration` returns false to end.
///
/// A linear algebra library that would use several threads uses one while the code runs, so that results do not depend on the
/// number of cores, and as many as before whenever the objective is evaluated and afterwards.
LbfgsbEnd minimize_lbfgsb(std::span<double> x, std::span<const double> lower, std::span<const double> upper,
                          const LbfgsbSettings& settings, const LbfgsbObjective& objective,
                          const std::function<bool(const LbfgsbIteration&)>& on_iteration);

}  // namespace polyad
