#pragma once
// Positive numbers whose spread is in proportion to their size (durations, amounts, intensities). The
// negative log-likelihood of a gamma variable of any fixed shape and mean m, scaled and without what no model
// can change.
//
//   f = x / (m + eps) + log(m + eps),   df/dm = 1 / (m + eps) - x / (m + eps)^2,   least at m = x
//
// x = 0 is refused: f(0, m) = log m falls without end as m goes to 0, and every zero would be worth an
// infinite reward.

#include <polyad/loss.hpp>

namespace polyad {

struct Gamma {
  static constexpr bool in_lanes = true;
  static constexpr LossInfo info = {
      .name = "gamma",
      .formula = "x / m + log m",
      .data = "positive numbers whose spread grows with their size",
      .link = "m is the expected value",
      .lower = 0,
      .domain = Domain::positive,
      .units = {.degree = 0, .per_cell = 1},
      .law = Law::gamma,
  };

  template <class T>
  T value(T x, T m) const {
    using std::log;
    const T u = m + loss_epsilon;
    return x / u + log(u);
  }

  template <class T>
  T deriv(T x, T m) const {
    const T u = m + loss_epsilon;
    const T inverse = 1.0 / u;
    return (u - x) * inverse * inverse;  // no difference of two large terms
  }
};

}  // namespace polyad
