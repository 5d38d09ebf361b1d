#pragma once
// The fields of options (polyad/fields.hpp) as text and back, and checked by their rules.

#include <polyad/base/error.hpp>
#include <polyad/base/text.hpp>
#include <polyad/fields.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace polyad {

inline std::string text_of(bool v) {
  return v ? "true" : "false";
}
inline std::string text_of(const std::string& v) {
  return v;
}
template <WordEnum E>
std::string text_of(E v) {
  return std::string(word_of(v));
}
template <class T>
requires(std::is_arithmetic_v<T> && !std::same_as<T, bool>) std::string text_of(T v) {
  return fmt::format("{}", v);
}
inline std::string text_of(const std::vector<std::string>& v) {
  return joined(v, " ");
}
template <class T>
std::string text_of(const std::optional<T>& v) {
  return v ? text_of(*v) : "auto";
}

/// Reads `text` into `value`; `name` is only for the error message.
inline void parse_value(std::string_view name, std::string_view text, bool& value) {
  if (text == "true" || text == "yes" || text == "on" || text == "1") {
    value = true;
  } else if (text == "false" || text == "no" || text == "off" || text == "0") {
    value = false;
  } else {
    fail(ErrorKind::usage, "{}: '{}' is neither true nor false", name, text);
  }
}
inline void parse_value(std::string_view, std::string_view text, std::string& value) {
  value = text;
}
inline void parse_value(std::string_view, std::string_view text, std::vector<std::string>& value) {
  value.emplace_back(text);
}
template <WordEnum E>
void parse_value(std::string_view name, std::string_view text, E& value) {
  const auto words = words_of(value);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == text) {
      value = static_cast<E>(i);
      return;
    }
  }
  fail(ErrorKind::usage, "{}: '{}' is not one of {}{}", name, text, joined(words, ", "), did_you_mean(text, words));
}
namespace detail {
/// All of `text` as a T. Unlike plain from_chars, "+5" is 5, as people expect.
template <class T>
std::errc read_number(std::string_view text, T& value) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return end != text.data() + text.size() ? std::errc::invalid_argument : error;
}
}  // namespace detail

/// Infinities are numbers ("inf": no bound), NaN is not.
template <std::floating_point T>
void parse_value(std::string_view name, std::string_view text, T& value) {
  T parsed{};
  const std::errc error = detail::read_number(text, parsed);
  const bool too_large = error == std::errc::result_out_of_range;
  if (error != std::errc{} || std::isnan(parsed)) {
    fail(ErrorKind::usage, "{}: '{}' is not a number{}", name, text, too_large ? " that fits" : "");
  }
  value = parsed;
}
/// "1e6" is a fine way to write a whole number too (up to 2^53, where doubles are exact).
template <std::integral T>
void parse_value(std::string_view name, std::string_view text, T& value) {
  T parsed{};
  if (detail::read_number(text, parsed) == std::errc{}) {
    value = parsed;
    return;
  }
  double real = 0;
  const bool whole = detail::read_number(text, real) == std::errc{} && std::isfinite(real) && real == std::floor(real);
  if (!whole) fail(ErrorKind::usage, "{}: '{}' is not a whole number", name, text);
  // The limits of a wide T are rounded as doubles; 2^53 is the closer bound then.
  constexpr double low = std::max(-0x1p53, static_cast<double>(std::numeric_limits<T>::min()));
  constexpr double high = std::min(0x1p53, static_cast<double>(std::numeric_limits<T>::max()));
  if (real < low || real > high) {
    fail(ErrorKind::usage, "{}: '{}' is out of range: give a whole number from {} to {}", name, text,
         std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
  }
  value = static_cast<T>(real);
}
template <class T>
void parse_value(std::string_view name, std::string_view text, std::optional<T>& value) {
  if (text == "auto") {
    value.reset();
    return;
  }
  T parsed{};
  parse_value(name, text, parsed);
  value = std::move(parsed);
}

// --- whole structs ----------------------------------------------------------------------------------------

/// Throws a usage error that names the field, its value and the broken rule.
template <class S>
void validate_fields(const S& options) {
  for_each_field<S>([&](const auto& f) {
    const std::string broken = f.rule(options.*f.member);
    if (!broken.empty()) fail(ErrorKind::usage, "`{}` {} (is {})", f.name, broken, text_of(options.*f.member));
  });
}

}  // namespace polyad
