#pragma once
// Magnitudes: the length of a two-dimensional vector of normal noise (wind speed, radar and MRI amplitudes).
// Negative log-likelihood of a Rayleigh variable of mean m, without what no model can change.
//
//   f = 2 log(m + eps) + (pi/4) (x / (m + eps))^2,   df/dm = (2 - (pi/2) (x / (m + eps))^2) / (m + eps)
//
// Least at m = x sqrt(pi) / 2. x = 0 is refused for the reason given in gamma.hpp.

#include <polyad/loss.hpp>

#include <numbers>

namespace polyad {

struct Rayleigh {
  static constexpr bool in_lanes = true;
  static constexpr LossInfo info = {
      .name = "rayleigh",
      .formula = "2 log m + (pi/4) (x / m)^2",
      .data = "positive magnitudes, such as speeds and amplitudes",
      .link = "m is the expected value",
      .lower = 0,
      .domain = Domain::positive,
      .units = {.degree = 0, .per_cell = 2},
      .law = Law::rayleigh,
  };

  template <class T>
  T value(T x, T m) const {
    using std::log;
    const T u = m + loss_epsilon;
    const T ratio = x / u;
    return 2.0 * log(u) + (std::numbers::pi / 4) * (ratio * ratio);
  }

  template <class T>
  T deriv(T x, T m) const {
    const T inverse = 1.0 / (m + loss_epsilon);
    const T ratio = x * inverse;
    return (2.0 - (std::numbers::pi / 2) * (ratio * ratio)) * inverse;
  }
};

}  // namespace polyad
