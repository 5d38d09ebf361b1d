#pragma once
// The minimum of a row's objective within bounds, for every loss, by Newton's method: each step minimises the quadratic model
// within the bounds exactly (bounded_quadratic.hpp) and goes along it as far as the objective falls. Which entries stand at a
// bound is found with the step, so that the end is reached quadratically, entries at their bound exactly there.
//
// Where the Hessian is not positive definite (losses that are not convex, components that coincide) or a step does not lower
// the objective, a multiple of a diagonal is added, which turns the step towards the gradient and shortens it. The diagonal is
// that of the Hessian, or what a change of the row by its own size would need where there is no curvature (huber, far away).
//
// A row that poses a convex problem has one minimum, and this finds it; a step that halves its residual is taken without asking
// for the objective, which saves the logarithms of most steps. For other losses two starts are tried and the better end
// is kept: a minimum, not always the lowest one.
//
// The end is measured without units: the KKT residual of entry j is |g_j| as a part of the sum of the absolute values of its
// terms; where the gradient points out of the box, the distance to the bound as a part of the largest entry, if that is less.

#include <polyad/solve/rows/bounded_quadratic.hpp>
#include <polyad/solve/rows/row_function.hpp>

#include <cstddef>

namespace polyad {

struct RowNewtonSettings {
  double lower = 0;
  double upper = 0;
  double tolerance = 1e-8;  ///< of the KKT residual
  std::size_t iterations = 200;
  bool warm = false;  ///< the row is near its end: it is neither scaled first nor tried from elsewhere
};

struct RowEnd {
  double residual = 0;         ///< KKT, at the end
  std::size_t iterations = 0;  ///< passes over the row's cells
};

class RowNewton {
 public:
  RowNewton(RowFunction& objective, const RowNewtonSettings& settings);

  /// Finds the row that was chosen in the objective, beginning at b (stride numbers, padding 0), where it is left.
  RowEnd solve(double* b);

 private:
  RowEnd descend(RowPoint& now);
  bool accept(double length);
  bool step(RowPoint& now, double residual, RowEnd& end);
  void make_finite(RowPoint& point, RowEnd& end);
  double residual_of(const RowPoint& point) const;
  void damp(const RowPoint& point);

  RowFunction& objective_;
  const RowNewtonSettings settings_;
  RowPoint now_, next_, other_;
  BoundedQuadratic quadratic_;
  AlignedVector<double> hessian_, low_, high_, direction_;
  double damping_ = 0;
};

}  // namespace polyad
