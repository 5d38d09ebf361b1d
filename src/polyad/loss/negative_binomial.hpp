#pragma once
// Counts that vary more than Poisson ones: x successes seen before r failures, m the odds of a success. Mean
// r m, variance r m (1 + m): the smaller r, the wilder the counts; for large r they become Poisson.
//
//   f = (r + x) log(1 + m) - x log(m + eps),   df/dm = (r + x) / (1 + m) - x / (m + eps),   least at m = x /
//   r
//
// (Some implementations have (r + 1) / (1 + m) in the derivative, which is not the derivative of f.)

#include <polyad/loss.hpp>

namespace polyad {

struct NegativeBinomial {
  double r = 4;

  static constexpr bool in_lanes = true;
  static constexpr LossInfo info = {
      .name = "negative-binomial",
      .formula = "(r + x) log(1 + m) - x log m",
      .data = "counts that vary more than poisson allows",
      .link = "m is the odds of one more event; the expected count is r m",
      .lower = 0,
      .domain = Domain::nonnegative,
      .law = Law::negative_binomial,
  };

  static constexpr std::array<LossParameter<NegativeBinomial>, 1> parameters() {
    return {{{.name = "r",
              .member = &NegativeBinomial::r,
              .help = "number of failures that ends the count; the smaller, the wilder the counts",
              .above = 0}}};
  }

  template <class T>
  T value(T x, T m) const {
    using std::log;
    using std::log1p;
    return (r + x) * log1p(m) - x * log(m + loss_epsilon);
  }

  template <class T>
  T deriv(T x, T m) const {
    return (r + x) / (1.0 + m) - x / (m + loss_epsilon);
  }
};

}  // namespace polyad
