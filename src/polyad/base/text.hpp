#pragma once
// Words in messages: lists, counts as people read them, and what a mistyped name may have meant. Compiled once: fmt::join would be
// compiled wherever it is used.

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace polyad {

/// "200 x 150 x 100", "day, hour, area".
std::string joined(std::span<const std::uint64_t> numbers, std::string_view between);
std::string joined(std::span<const std::string> words, std::string_view between);
std::string joined(std::span<const std::string_view> words, std::string_view between);

/// A count may be a double because an index space may exceed 2^64 cells: "149,475,532" where it is exact (below 2^53),
/// "1.24e+27" beyond.
std::string format_count(double count);
/// Digits in groups of three.
std::string with_separators(std::string_view digits);
/// All digits, in groups of three.
std::string format_count(std::uint64_t count);
template <std::integral Count>
std::string format_count(Count count) {
  return format_count(static_cast<std::uint64_t>(count));
}

/// The candidate nearest to `word` by edit distance, or an empty string where none is near enough to be meant.
std::string nearest(std::string_view word, std::span<const std::string_view> candidates);

/// " (did you mean 'poisson'?)" or nothing: ready to be appended to an error message.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace polyad
