#pragma once
// The values that are no ordinary numbers.

#include <limits>

namespace polyad {

inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace polyad
