#pragma once
// A running sum that carries its rounding error along (Neumaier's form of Kahan's sum): the error of the
// total does not grow with the number of terms, and large terms that cancel leave the small ones intact. Four
// additions a term.

#include <cmath>

namespace polyad {

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

}  // namespace polyad
