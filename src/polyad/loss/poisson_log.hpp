#pragma once
// Counts with a log link: e^m is the mean, so that components multiply instead of adding up, and factors may
// be negative.
//
//   f = e^m - x m,   df/dm = e^m - x,   least at m = log x
//
// Above m = 709 both are infinite, truly so in double precision; a fit takes that as a bad epoch. Data need
// not be whole, as for poisson.

#include <polyad/loss.hpp>

namespace polyad {

struct PoissonLog {
  static constexpr bool in_lanes = true;
  static constexpr LossInfo info = {
      .name = "poisson-log",
      .formula = "e^m - x m",
      .data = "counts: how many events, where effects multiply",
      .link = "m is the logarithm of the expected count",
      .lower = no_bound,
      .domain = Domain::nonnegative,
      .law = Law::poisson,
      .convex = true,
  };

  template <class T>
  T value(T x, T m) const {
    using std::exp;
    return exp(m) - x * m;
  }

  template <class T>
  T deriv(T x, T m) const {
    using std::exp;
    return exp(m) - x;
  }
};

}  // namespace polyad
