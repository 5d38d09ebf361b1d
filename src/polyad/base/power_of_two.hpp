#pragma once
// Scales by powers of two change no bit of what is scaled. They are taken from sizes of the data, so that a fit does the same
// whatever unit the data are in.

#include <cmath>

namespace polyad {

/// The power of two nearest to a size; 1 where there is no size (0, NaN, infinite). Its inverse is a number too.
inline double power_of_two_near(double size) {
  if (!(size > 0) || !std::isfinite(size)) return 1;
  int exponent = 0;
  const double mantissa = std::frexp(size, &exponent);  // from 1/2 to 1; the border is sqrt(1/2)
  constexpr double root_of_half = 0.70710678118654752;
  exponent -= mantissa < root_of_half ? 1 : 0;
  return std::ldexp(1.0, exponent < -1000 ? -1000 : (exponent > 1000 ? 1000 : exponent));
}

}  // namespace polyad
