#pragma once
// Lines of .tns text, taken apart with care (the fast way through well-formed entries is in entries.cpp).

#include <polyad/cells.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace polyad {

/// The fields of a line, between blanks; '#' at the start of a field ends the line. A line with more than an entry can have
/// is counted to its end but not kept.
struct TnsFields {
  std::array<std::string_view, max_modes + 1> fields;
  std::size_t count = 0;

  explicit TnsFields(std::string_view line);
  bool all_whole_numbers() const;
};

/// A whole number of at most 64 bits, and nothing else.
std::optional<std::uint64_t> parse_whole(std::string_view text);
/// A number, also +1, 1e5, inf or nan; too small for a double is 0, too large infinity.
std::optional<double> parse_number(std::string_view text);

/// Separated values, not a number between blanks.
bool is_of_table(std::string_view field);

}  // namespace polyad
