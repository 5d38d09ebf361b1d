#pragma once
// Normal noise of one size everywhere: the least-squares loss of classical CP.
//
//   f = (x - m)^2,   df/dm = 2 (m - x),   least at m = x

#include <polyad/loss.hpp>

namespace polyad {

struct Gaussian {
  static constexpr bool in_lanes = true;
  static constexpr LossInfo info = {
      .name = "gaussian",
      .formula = "(x - m)^2",
      .data = "real numbers with noise of about the same size everywhere",
      .link = "m is the expected value",
      .lower = no_bound,
      .domain = Domain::real,
      .zero_sum = ZeroSum::quadratic,
      .units = {.degree = 2},
      .row_problem = RowProblem::least_squares,
      .law = Law::normal,
      .convex = true,
  };

  template <class T>
  T value(T x, T m) const {
    return (m - x) * (m - x);
  }

  template <class T>
  T deriv(T x, T m) const {
    return 2.0 * (m - x);
  }
};

}  // namespace polyad
