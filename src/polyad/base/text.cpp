#include <polyad/base/text.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace polyad {

namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Levenshtein distance, one row at a time. Case does not count: who shouts means the same word.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substituted = diagonal + (lower(a[i]) == lower(b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string joined(std::span<const std::uint64_t> numbers, std::string_view between) {
  return fmt::format("{}", fmt::join(numbers.begin(), numbers.end(), between));
}

std::string joined(std::span<const std::string> words, std::string_view between) {
  return fmt::format("{}", fmt::join(words.begin(), words.end(), between));
}

std::string joined(std::span<const std::string_view> words, std::string_view between) {
  return fmt::format("{}", fmt::join(words.begin(), words.end(), between));
}

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

std::string nearest(std::string_view word, std::span<const std::string_view> candidates) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 2) + 1;
  for (const auto candidate : candidates) {
    const bool starts_alike = word.size() >= 3 && candidate.starts_with(word);
    const std::size_t distance = starts_alike ? 1 : edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string best = nearest(word, candidates);
  return best.empty() ? "" : fmt::format(" (did you mean '{}'?)", best);
}

}  // namespace polyad
