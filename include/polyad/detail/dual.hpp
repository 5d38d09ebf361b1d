#pragma once
// Dual numbers: a value and its derivative with respect to one variable, carried through arithmetic. A loss that gives
// only its value gets an exact derivative this way.

#include <cmath>

namespace polyad {

struct Dual {
  double value = 0;
  double slope = 0;
  constexpr Dual() = default;
  constexpr Dual(double v) : value(v) {}  // NOLINT(google-explicit-constructor): constants mix with duals
  constexpr Dual(double v, double s) : value(v), slope(s) {}

  friend constexpr Dual operator+(Dual a, Dual b) { return {a.value + b.value, a.slope + b.slope}; }
  friend constexpr Dual operator-(Dual a, Dual b) { return {a.value - b.value, a.slope - b.slope}; }
  friend constexpr Dual operator-(Dual a) { return {-a.value, -a.slope}; }
  friend constexpr Dual operator*(Dual a, Dual b) { return {a.value * b.value, a.slope * b.value + a.value * b.slope}; }
  friend constexpr Dual operator/(Dual a, Dual b) {
    const double q = a.value / b.value;
    return {q, (a.slope - q * b.slope) / b.value};
  }
  constexpr Dual& operator+=(Dual b) { return *this = *this + b; }
  constexpr Dual& operator-=(Dual b) { return *this = *this - b; }
  constexpr Dual& operator*=(Dual b) { return *this = *this * b; }
  constexpr Dual& operator/=(Dual b) { return *this = *this / b; }
  // Comparisons look at the value: they choose the branch whose derivative then counts.
  friend constexpr bool operator<(Dual a, Dual b) { return a.value < b.value; }
  friend constexpr bool operator>(Dual a, Dual b) { return a.value > b.value; }
  friend constexpr bool operator<=(Dual a, Dual b) { return a.value <= b.value; }
  friend constexpr bool operator>=(Dual a, Dual b) { return a.value >= b.value; }
  friend constexpr bool operator==(Dual a, Dual b) { return a.value == b.value; }
};

namespace detail {
// A constant stays one even where the outer derivative is infinite, as that of sqrt at 0.
inline double chain(double slope, double outer) {
  return slope == 0 ? 0.0 : slope * outer;
}
}  // namespace detail

inline Dual log(Dual a) {
  return {std::log(a.value), detail::chain(a.slope, 1 / a.value)};
}
inline Dual log1p(Dual a) {
  return {std::log1p(a.value), detail::chain(a.slope, 1 / (1 + a.value))};
}
inline Dual exp(Dual a) {
  const double e = std::exp(a.value);
  return {e, detail::chain(a.slope, e)};
}
inline Dual expm1(Dual a) {
  return {std::expm1(a.value), detail::chain(a.slope, std::exp(a.value))};
}
inline Dual sqrt(Dual a) {
  const double s = std::sqrt(a.value);
  return {s, detail::chain(a.slope, 0.5 / s)};
}
inline Dual pow(Dual a, double p) {
  return {std::pow(a.value, p), p == 0 ? 0.0 : detail::chain(a.slope, p * std::pow(a.value, p - 1))};
}
inline Dual pow(Dual a, Dual p) {
  const Dual fixed_exponent = pow(a, p.value);
  return {fixed_exponent.value,
          fixed_exponent.slope + detail::chain(p.slope, fixed_exponent.value * std::log(a.value))};
}
inline Dual abs(Dual a) {
  return a.value < 0 ? -a : a;
}
inline Dual fabs(Dual a) {
  return abs(a);
}
inline Dual sin(Dual a) {
  return {std::sin(a.value), a.slope * std::cos(a.value)};
}
inline Dual cos(Dual a) {
  return {std::cos(a.value), -a.slope * std::sin(a.value)};
}
inline Dual tanh(Dual a) {
  const double t = std::tanh(a.value);
  return {t, a.slope * (1 - t * t)};
}

}  // namespace polyad
