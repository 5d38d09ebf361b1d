#pragma once
// One list of fields for each options struct: name, member, help, rule. The command line, JSON, model files
// and the reference documentation are all made from these lists, so that an option exists everywhere or
// nowhere.
//
//   struct StopOptions {
//     double time_limit = 0;
//     static auto fields() {
//       return std::tuple{field("time-limit", &StopOptions::time_limit, "stop after SECONDS; 0: never",
//       at_least(0))};
//     }
//   };
//
// A field is a bool, a number, a string, a list of strings, an enum with `words_of`, or a std::optional of
// one of these (empty reads and prints as "auto": polyad chooses, and says what it chose).

#include <polyad/base/error.hpp>
#include <polyad/base/joined.hpp>
#include <polyad/base/suggest.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace polyad {

/// Empty where the value is fine, otherwise the broken rule ("must be at least 1").
template <class T>
using Rule = std::function<std::string(const T&)>;

template <class S, class T>
struct Field {
  std::string_view name;
  T S::*member;
  std::string_view help;
  Rule<T> rule;
  std::string_view placeholder;  ///< what a value looks like, for help: "FILE"; empty: made from T

  Field shown_as(std::string_view text) const {
    Field copy = *this;
    copy.placeholder = text;
    return copy;
  }
};

template <class S, class T>
Field<S, T> field(std::string_view name, T S::*member, std::string_view help, Rule<std::type_identity_t<T>> rule = {}) {
  return {name, member, help, std::move(rule), {}};
}

/// Calls `visit(field)` for every field of S, in order.
template <class S, class Visit>
void for_each_field(Visit&& visit) {
  std::apply([&](const auto&... fields) { (visit(fields), ...); }, S::fields());
}

// --- rules ------------------------------------------------------------------------------------------------

namespace detail {
template <class T>
const T* present(const T& value) {
  return &value;
}
template <class T>
const T* present(const std::optional<T>& value) {
  return value ? &*value : nullptr;
}
template <class Holds>
auto numeric_rule(Holds holds, const std::string& text) {
  return [=](const auto& value) -> std::string {
    const auto* v = present(value);
    return (v == nullptr || holds(static_cast<double>(*v))) ? std::string{} : text;
  };
}
}  // namespace detail

inline auto at_least(double bound) {
  return detail::numeric_rule([bound](double v) { return v >= bound; }, fmt::format("must be at least {}", bound));
}
inline auto above(double bound) {
  return detail::numeric_rule([bound](double v) { return v > bound; }, fmt::format("must be above {}", bound));
}
inline auto within(double low, double high) {
  return detail::numeric_rule([=](double v) { return v >= low && v <= high; },
                              fmt::format("must be between {} and {}", low, high));
}
/// A count of something that is done or kept. At most a billion: more is a slip, and products of two are still exact.
inline auto count_from(double low) {
  return [=](const auto& value) -> std::string {
    constexpr double most = 1e9;
    const auto* v = detail::present(value);
    if (v == nullptr || (static_cast<double>(*v) >= low && static_cast<double>(*v) <= most)) return {};
    const bool too_few = static_cast<double>(*v) < low;
    return fmt::format("must be at {} {}", too_few ? "least" : "most", too_few ? low : most);
  };
}
/// 1, 2, 4, 1/2, ...: multiplying by it loses no bit.
inline auto power_of_two() {
  return detail::numeric_rule(
      [](double v) {
        int exponent = 0;
        return v > 0 && std::isfinite(v) && std::frexp(v, &exponent) == 0.5;
      },
      "must be a power of two, such as 1, 1024 or 0.25");
}
/// A decay factor: 0 <= v < 1.
inline auto decay_factor() {
  return detail::numeric_rule([](double v) { return v >= 0 && v < 1; }, "must be at least 0 and below 1");
}

// --- text <-> value ---------------------------------------------------------------------------------------

/// A choice of words: an enum, or a class with a place in a table, that has a function `words_of(E)` found by
/// argument-dependent look-up: its words, in order of value.
template <class E>
concept WordEnum = !std::is_arithmetic_v<E> && requires(E e) {
  words_of(e);
  static_cast<std::size_t>(e);
  static_cast<E>(std::size_t{0});
};

template <WordEnum E>
std::string_view word_of(E e) {
  return words_of(e)[static_cast<std::size_t>(e)];
}

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
    if (!f.rule) return;
    const std::string broken = f.rule(options.*f.member);
    if (!broken.empty()) fail(ErrorKind::usage, "`{}` {} (is {})", f.name, broken, text_of(options.*f.member));
  });
}

}  // namespace polyad
