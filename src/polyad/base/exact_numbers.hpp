#pragma once
// Arithmetic that loses nothing: sums that carry their rounding error along, and scales that are powers of two.

#include <cmath>

namespace polyad {

/// A running sum that carries its rounding error along (Neumaier's form of Kahan's sum): the error of the total does not grow with
/// the number of terms, and large terms that cancel leave the small ones intact. Four additions per term.
class CompensatedSum {
 public:
  void add(double term) {
    const double total = sum_ + term;
    carry_ += std::abs(sum_) >= std::abs(term) ? (sum_ - total) + term : (term - total) + sum_;
    sum_ = total;
  }
  /// A sum that overflowed or met a NaN gives what plain addition would.
  double value() const { return std::isfinite(sum_) ? sum_ + carry_ : sum_; }

 private:
  double sum_ = 0;
  double carry_ = 0;
};

// Scales by powers of two change no bit of what is scaled. They are taken from sizes of the data, so that a fit does the same
// whatever unit the data are in.

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
