#pragma once
// Counts. The negative log-likelihood of a Poisson count x with mean m, without log x!, which no model can
// change. Data that are not whole (rates, intensities) are taken too: f then is the Kullback-Leibler
// divergence of x from m, up to a constant.
//
//   f = m - x log(m + eps),   df/dm = 1 - x / (m + eps),   least at m = x
//
// f(0, m) = m, so that the zeros of a sparse tensor cost nothing: see ZeroSum.

#include <polyad/loss.hpp>

namespace polyad {

struct Poisson {
  static constexpr bool in_lanes = true;
  static constexpr LossInfo info = {
      .name = "poisson",
      .formula = "m - x log m",
      .data = "counts: how many events",
      .link = "m is the expected count",
      .lower = 0,
      .domain = Domain::nonnegative,
      .zero_sum = ZeroSum::linear,
      .zero_slope = 1,
      .units = {.degree = 1, .per_value = -1},
      .row_problem = RowProblem::poisson_regression,
      .law = Law::poisson,
      .convex = true,
  };

  template <class T>
  T value(T x, T m) const {
    using std::log;
    return m - x * log(m + loss_epsilon);
  }

  template <class T>
  T deriv(T x, T m) const {
    const T u = m + loss_epsilon;
    return (u - x) / u;  // as 1 - x / u, but exact to the last bits near the minimum
  }
};

}  // namespace polyad
