#include <polyad/base/count_text.hpp>

#include <fmt/format.h>

#include <cmath>

namespace polyad {

std::string format_count(double count) {
  return count >= 0x1p53 ? fmt::format("{:.3g}", count) : format_count(static_cast<std::uint64_t>(std::llround(count)));
}

std::string with_separators(std::string_view digits) {
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text.push_back(',');
    text.push_back(digits[i]);
  }
  return text;
}

std::string format_count(std::uint64_t count) {
  return with_separators(fmt::format("{}", count));
}

}  // namespace polyad
