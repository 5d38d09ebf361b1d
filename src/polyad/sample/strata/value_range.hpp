#pragma once
// A class of data values. Closed at both ends, LO <= x <= HI, which is how counts are written
// (1..1, 2..5, 6..); the upper end may be left out of the range, LO <= x < HI, which is how reals are split
// without overlap
// (..<0.5, 0.5..<1, 1..).

#include <limits>

namespace polyad {

struct ValueRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool without_high = false;

  /// False for NaN.
  bool contains(double x) const { return x >= low && (without_high ? x < high : x <= high); }
};

}  // namespace polyad
