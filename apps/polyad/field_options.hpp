#pragma once
// Command-line options made from the field lists of options structs (base/fields.hpp).

#include <CLI/CLI.hpp>

#include <polyad/base/fields.hpp>

#include <string>
#include <type_traits>
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
    return fmt::format("{}", fmt::join(words_of(P{}), "|"));
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

}  // namespace detail

/// Adds an option --NAME for every field of `group`, set directly in it, under the help heading `title`. Single-letter
/// synonyms are given as {"rank", "r"}.
template <class Group>
void add_fields(CLI::App& command, std::string_view title, Group& group,
                const std::vector<std::pair<std::string_view, std::string_view>>& short_names = {}) {
  for_each_field<Group>([&](const auto& f) {
    auto& member = group.*f.member;
    using T = std::remove_reference_t<decltype(member)>;
    std::string names = fmt::format("--{}", f.name);
    for (const auto& [name, letter] : short_names) {
      if (name == f.name) names = fmt::format("-{},{}", letter, names);
    }
    const std::string label = fmt::format("--{}", f.name);
    CLI::Option* option = nullptr;
    if constexpr (std::is_same_v<T, std::vector<std::string>>) {
      option = command.add_option(names, member, std::string(f.help))->expected(1)->take_all();
    } else {
      option = command.add_option_function<std::string>(
          names, [&member, label](const std::string& text) { parse_value(label, text, member); }, std::string(f.help));
      const std::string standard = text_of(member);
      if (!standard.empty()) option->default_str(standard);
    }
    option->type_name(detail::placeholder<T>())->group(std::string(title));
  });
}

}  // namespace polyad::cli
