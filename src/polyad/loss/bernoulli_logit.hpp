#pragma once
// Yes or no, with the logit link: m = log(p / (1 - p)), so that factors may be negative.
//
//   f = log(1 + e^m) - x m,   df/dm = s(m) - x   with   s(m) = 1 / (1 + e^-m)
//
// With e = e^-|m| <= 1 nothing overflows: log(1 + e^m) = max(m, 0) + log1p(e). The derivative is taken as
// (1 - x) s(m) - x s(-m), which keeps its relative accuracy at x = 1 where s(m) - 1 would cancel.

#include <polyad/loss.hpp>

namespace polyad {

struct BernoulliLogit {
  static constexpr bool in_lanes = true;
  static constexpr LossInfo info = {
      .name = "bernoulli-logit",
      .formula = "log(1 + e^m) - x m",
      .data = "yes or no, as 1 and 0",
      .link = "m is the log-odds of a 1: log(p / (1 - p))",
      .lower = no_bound,
      .domain = Domain::binary,
      .law = Law::bernoulli,
      .convex = true,
  };

  template <class T>
  T value(T x, T m) const {
    using std::exp;
    using std::log1p;
    // The same side is taken at m = 0 by both, so that a dual number sees one consistent derivative there.
    const T magnitude = select(m < T(0), -m, m);
    const T positive_part = select(m < T(0), T(0), m);
    return (positive_part - x * m) + log1p(exp(-magnitude));
  }

  template <class T>
  T deriv(T x, T m) const {
    using std::exp;
    const T e = exp(-select(m < T(0), -m, m));
    const T larger = 1.0 / (1.0 + e);
    const T smaller = e * larger;
    const T s = select(m < T(0), smaller, larger);
    const T complement = select(m < T(0), larger, smaller);
    return (1.0 - x) * s - x * complement;
  }
};

}  // namespace polyad
