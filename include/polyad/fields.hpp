#pragma once
// One list of fields for each options struct: name, member, help, rule. The command line, JSON, model files, the Python package
// and the reference documentation are all made from these lists, so that an option exists everywhere or nowhere.
//
//   struct StopOptions {
//     double time_limit = 0;
//     static auto fields() {
//       return std::tuple{field("time-limit", &StopOptions::time_limit, "stop after SECONDS; 0: never", at_least(0))};
//     }
//   };
//
// A field is a bool, a number, a string, a list of strings, an enum with `words_of`, or a std::optional of one of these. An
// empty optional reads and prints as "auto": polyad chooses, and says what it chose.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace polyad {

/// What a number must be. No rule: anything.
struct Rule {
  enum class Kind { none, at_least, above, within, count, power_of_two, decay_factor };
  Kind kind = Kind::none;
  double low = 0;
  double high = 0;

  explicit operator bool() const { return kind != Kind::none; }
  /// Empty where the value is fine, otherwise the broken rule ("must be at least 1"). Values that are not there (auto) and
  /// values that are not numbers are fine.
  template <class T>
  std::string operator()(const T& value) const {
    if constexpr (std::is_arithmetic_v<T>) {
      return broken_by(static_cast<double>(value));
    } else {
      return {};
    }
  }
  template <class T>
  std::string operator()(const std::optional<T>& value) const {
    return value ? (*this)(*value) : std::string();
  }
  std::string broken_by(double value) const;
};

inline Rule at_least(double bound) {
  return {Rule::Kind::at_least, bound, 0};
}
inline Rule above(double bound) {
  return {Rule::Kind::above, bound, 0};
}
inline Rule within(double low, double high) {
  return {Rule::Kind::within, low, high};
}
/// A count of something that is done or kept. At most a billion: more is a slip, and products of two are still exact.
inline Rule count_from(double low) {
  return {Rule::Kind::count, low, 1e9};
}
/// 1, 2, 4, 1/2, ...: multiplying by it loses no bit.
inline Rule power_of_two() {
  return {Rule::Kind::power_of_two, 0, 0};
}
/// 0 <= v < 1.
inline Rule decay_factor() {
  return {Rule::Kind::decay_factor, 0, 1};
}

template <class S, class T>
struct Field {
  std::string_view name;
  T S::*member;
  std::string_view help;
  Rule rule;
  std::string_view placeholder;  ///< what a value looks like, for help: "FILE"; empty: made from T

  Field shown_as(std::string_view text) const {
    Field copy = *this;
    copy.placeholder = text;
    return copy;
  }
};

template <class S, class T>
Field<S, T> field(std::string_view name, T S::*member, std::string_view help, Rule rule = {}) {
  return {name, member, help, rule, {}};
}

/// Calls `visit(field)` for every field of S, in order.
template <class S, class Visit>
void for_each_field(Visit&& visit) {
  std::apply([&](const auto&... fields) { (visit(fields), ...); }, S::fields());
}

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

}  // namespace polyad
