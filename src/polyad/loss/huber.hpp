#pragma once
// Real numbers with outliers: least squares near the data, absolute error far from them.
//
//   f = d^2 where d < delta, else 2 delta d - delta^2, with d = |x - m|
//   df/dm = 2 (m - x), limited to the range from -2 delta to 2 delta
//
// Least at m = x. delta is in the units of the data: about 1.3 times the size of ordinary noise is a good choice.

#include <polyad/loss.hpp>

namespace polyad {

struct Huber {
  double delta = 1;

  static constexpr bool in_lanes = true;
  static constexpr LossInfo info = {
      .name = "huber",
      .formula = "(x - m)^2 where |x - m| < delta, else 2 delta |x - m| - delta^2",
      .data = "real numbers with outliers",
      .link = "m is the typical value",
      .lower = no_bound,
      .domain = Domain::real,
      .units = {.degree = 2},
      .convex = true,
  };

  static constexpr std::array<LossParameter<Huber>, 1> parameters() {
    return {{{.name = "delta",
              .member = &Huber::delta,
              .help = "errors up to this size count by their square, larger ones by their size",
              .above = 0,
              .in_data_units = true}}};
  }

  template <class T>
  T value(T x, T m) const {
    const T d = m - x;
    const T size = select(d < T(0), -d, d);
    return select(size < T(delta), d * d, delta * (2.0 * size - delta));
  }

  template <class T>
  T deriv(T x, T m) const {
    const T d = m - x;
    return 2.0 * select(d > T(delta), T(delta), select(d < T(-delta), T(-delta), d));
  }
};

}  // namespace polyad
