#include <polyad/base/joined.hpp>

#include <fmt/ranges.h>

namespace polyad {

std::string joined(std::span<const std::uint64_t> numbers, std::string_view between) {
  return fmt::format("{}", fmt::join(numbers.begin(), numbers.end(), between));
}

std::string joined(std::span<const std::string> words, std::string_view between) {
  return fmt::format("{}", fmt::join(words.begin(), words.end(), between));
}

std::string joined(std::span<const std::string_view> words, std::string_view between) {
  return fmt::format("{}", fmt::join(words.begin(), words.end(), between));
}

}  // namespace polyad
