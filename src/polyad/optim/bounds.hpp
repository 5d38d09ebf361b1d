#pragma once
// Bounds as part of a step. A comparison with NaN is false, so a NaN passes through both tests and stays
// visible: std::max and std::clamp would depend on the order of their arguments and may turn it into a bound.

namespace polyad {

inline double clamp_keeping_nan(double value, double lower, double upper) {
  value = lower > value ? lower : value;
  return upper < value ? upper : value;
}

}  // namespace polyad
