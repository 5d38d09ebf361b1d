#pragma once
// Yes or no, with the odds link: m = p / (1 - p), the odds of a 1.
//
//   f = log(1 + m) - x log(m + eps),   df/dm = 1 / (1 + m) - x / (m + eps)
//
// x = 0 is least at m = 0, x = 1 decreases for ever; cells of mean x share the minimum m = x / (1 - x).

#include <polyad/loss.hpp>

namespace polyad {

struct BernoulliOdds {
  static constexpr bool in_lanes = true;
  static constexpr LossInfo info = {
      .name = "bernoulli-odds",
      .formula = "log(1 + m) - x log m",
      .data = "yes or no, as 1 and 0",
      .link = "m is the odds of a 1: p / (1 - p)",
      .lower = 0,
      .domain = Domain::binary,
      .law = Law::bernoulli,
  };

  template <class T>
  T value(T x, T m) const {
    using std::log;
    using std::log1p;
    return log1p(m) - x * log(m + loss_epsilon);
  }

  template <class T>
  T deriv(T x, T m) const {
    return 1.0 / (1.0 + m) - x / (m + loss_epsilon);
  }
};

}  // namespace polyad
