#pragma once
// The precision in which a stochastic fit keeps factors, gradients and moments. Sums of the loss are double always.

#include <array>
#include <string_view>

namespace polyad {

enum class Precision { in_double, in_single };
constexpr std::array<std::string_view, 2> words_of(Precision) {
  return {"double", "single"};
}

}  // namespace polyad
