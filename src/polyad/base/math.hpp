#pragma once
// The functions of <cmath> that are not exact, for everything a fit depends on outside of kernels and losses.
//
// A C library may compute a logarithm in two ways, with and without fused multiply-add, and chooses by CPU; the last bit may
// differ. Where the target is `portable` (simd_target.hpp) these functions are Highway's instead, compiled for plain x86-64: a
// few units in the last place, and the same on every CPU. (Square roots, rounding and scaling by powers of two are exact
// anyway: use those of <cmath>.)

#include <polyad/base/simd_target.hpp>

#include <cmath>

namespace polyad::math {

namespace portable {
double log(double x);
double log1p(double x);
double exp(double x);
double expm1(double x);
double sin(double x);
double cos(double x);
/// For a > 0, or a = 0 and p > 0.
double pow(double a, double p);
}  // namespace portable

inline bool is_portable() {
  return simd_target() == SimdTarget::portable;
}

inline double log(double x) {
  return is_portable() ? portable::log(x) : std::log(x);
}
inline double log1p(double x) {
  return is_portable() ? portable::log1p(x) : std::log1p(x);
}
inline double exp(double x) {
  return is_portable() ? portable::exp(x) : std::exp(x);
}
inline double expm1(double x) {
  return is_portable() ? portable::expm1(x) : std::expm1(x);
}
inline double sin(double x) {
  return is_portable() ? portable::sin(x) : std::sin(x);
}
inline double cos(double x) {
  return is_portable() ? portable::cos(x) : std::cos(x);
}
inline double pow(double a, double p) {
  return is_portable() && a >= 0 ? portable::pow(a, p) : std::pow(a, p);
}

}  // namespace polyad::math
