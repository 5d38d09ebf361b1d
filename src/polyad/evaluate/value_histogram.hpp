#pragma once
// How often which values occur, in a handful of bars: for people who look at their data first.

#include <polyad/fit/check_data.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace polyad {

struct HistogramBar {
  std::string label;  ///< "0", "3", "5 to 9", "0.1 to 1"
  double count = 0;
};

/// Bars over all observed values, implicit zeros included. Few whole numbers get a bar each; many, and other values that are
/// not negative, bars whose bounds grow by tens; values of either sign ten bars of equal width. Two passes over the data.
std::vector<HistogramBar> value_histogram(const Tensor& tensor, const ValueFacts& facts);

}  // namespace polyad
