#pragma once
// Counts as people read them. A count may be a double because an index space may exceed 2^64 cells.

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace polyad {

/// "149,475,532" where the count is exact (below 2^53), "1.24e+27" beyond.
std::string format_count(double count);
/// Digits in groups of three.
std::string with_separators(std::string_view digits);
/// All digits, in groups of three.
std::string format_count(std::uint64_t count);
template <std::integral Count>
std::string format_count(Count count) {
  return format_count(static_cast<std::uint64_t>(count));
}

}  // namespace polyad
