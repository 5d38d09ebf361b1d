#pragma once
// Counts of which only those of at least 1 were ever recorded: Poisson, given that x > 0. Zeros are not data;
// the unlisted cells of a sparse tensor must be declared missing.
//
//   f = m - x log(m + eps) + log(1 - e^-m + eps),   df/dm = 1 - x / (m + eps) + 1 / (e^m - 1 + eps)
//
// Least where m / (1 - e^-m) = x, the mean of what is seen; at m = 0 for x = 1. Near m = 0 the two quotients
// of df/dm are huge and cancel (x = 1: 1/m - 1/m + 1/2), so they are brought together. With u = m + eps, v =
// e^m - 1 + eps,
//
//   1/v - x/u = (1 - x) / v - (x / u) (v - u) / v,   v - u = e^m - 1 - m,
//
// and numerator and denominator are taken times e^-m, so that nothing overflows for large m. One exponential serves
// both: below 1/2, where 1 - e^-m would cancel, e^m - 1 comes from the series of e^m - 1 - m.
// (df/dm is the derivative of f up to a factor 1 + O(eps) in its last term.)

#include <polyad/loss.hpp>

namespace polyad {

struct ZeroTruncatedPoisson {
  static constexpr bool in_lanes = true;
  static constexpr LossInfo info = {
      .name = "zero-truncated-poisson",
      .formula = "m - x log m + log(1 - e^-m)",
      .data = "counts of at least 1, where zeros were never recorded",
      .link = "m is the expected count, unrecorded zeros included",
      .lower = 0,
      .domain = Domain::positive_count,
      .law = Law::zero_truncated_poisson,
      .convex = true,
  };

  template <class T>
  T value(T x, T m) const {
    using std::expm1;
    using std::log;
    return m - x * log(m + loss_epsilon) + log(loss_epsilon - expm1(-m));
  }

  template <class T>
  T deriv(T x, T m) const {
    using std::exp;
    const T e = exp(-m);
    const T tail = e * exponential_tail(m);
    const T u = m + loss_epsilon;
    const T excess = select(m < T(0.5), tail, 1.0 - e * (1.0 + m));            // (v - u) e^-m
    const T v = loss_epsilon * e + select(m < T(0.5), e * m + tail, 1.0 - e);  // v e^-m
    return 1.0 + ((1.0 - x) * e - (x / u) * excess) / v;
  }

 private:
  // e^m - 1 - m = m^2/2! + m^3/3! + ..., to the last bit for m < 0.5.
  template <class T>
  static T exponential_tail(T m) {
    T sum = T(1);
    for (int k = 15; k >= 3; --k) sum = 1.0 + sum * (m * (1.0 / k));
    return sum * (m * m * 0.5);
  }
};

}  // namespace polyad
