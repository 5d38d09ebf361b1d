#pragma once
// Command-line options made from the field lists of options structs (base/fields.hpp).

#include "polyad/command.hpp"
#include "polyad/parser.hpp"

#include <polyad/base/fields.hpp>
#include <polyad/base/text.hpp>

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace polyad::cli {

namespace detail {

template <class T>
struct Plain {
  using type = T;
};
template <class T>
struct Plain<std::optional<T>> {
  using type = T;
};

/// "NUMBER", "COUNT", "cosine|paper|constant": what to write after the option.
template <class T>
std::string placeholder() {
  using P = typename Plain<T>::type;
  if constexpr (WordEnum<P>) {
    return joined(words_of(P{}), "|");
  } else if constexpr (std::is_same_v<P, bool>) {
    return "true|false";
  } else if constexpr (std::is_floating_point_v<P>) {
    return "NUMBER";
  } else if constexpr (std::is_integral_v<P>) {
    return "COUNT";
  } else {
    return "TEXT";
  }
}

template <class T>
Option add_field(Command& command, const std::string& names, const std::string& label, const std::string& help,
                 T& member) {
  const auto take = [&member, label](const std::string& text) { parse_value(label, text, member); };
  Option option = command.add_option_function(names, take, help);
  const std::string standard = text_of(member);
  if (!standard.empty()) option.default_str(standard);
  return option;
}

inline Option add_field(Command& command, const std::string& names, const std::string& /*label*/,
                        const std::string& help, std::vector<std::string>& member) {
  return command.add_option(names, member, help).repeatable();
}

}  // namespace detail

/// Adds an option --NAME for every field of `group`, set directly in it, under the help heading `title`. Single-letter
/// synonyms are given as {"rank", "r"}; fields in `without` get no option.
template <class Group>
void add_fields(Command& command, std::string_view title, Group& group,
                const std::vector<std::pair<std::string_view, std::string_view>>& short_names = {},
                const std::vector<std::string_view>& without = {}) {
  for_each_field<Group>([&](const auto& f) {
    for (const std::string_view name : without) {
      if (name == f.name) return;
    }
    auto& member = group.*f.member;
    using T = std::remove_reference_t<decltype(member)>;
    const std::string label = fmt::format("--{}", f.name);
    std::string names = label;
    for (const auto& [name, letter] : short_names) {
      if (name == f.name) names = fmt::format("-{},{}", letter, label);
    }
    detail::add_field(command, names, label, as_flags(mark_options(f.help)), member)
        .type_name(f.placeholder.empty() ? detail::placeholder<T>() : std::string(f.placeholder))
        .group(std::string(title));
  });
}

}  // namespace polyad::cli
