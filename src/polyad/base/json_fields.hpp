#pragma once
// Options to JSON and back, by their field lists.

#include <polyad/base/fields.hpp>
#include <polyad/base/json_value.hpp>

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace polyad {

template <class T>
Json json_of(const T& value) {
  if constexpr (WordEnum<T>) {
    return std::string(word_of(value));
  } else if constexpr (std::is_floating_point_v<T>) {
    // JSON has no infinities; a bound may be one.
    if (!std::isfinite(value)) return text_of(value);
    return value;
  } else {
    return value;
  }
}
template <class T>
Json json_of(const std::optional<T>& value) {
  return value ? json_of(*value) : Json("auto");
}

template <class S>
Json fields_to_json(const S& options) {
  Json out = Json::object();
  for_each_field<S>([&](const auto& f) { out[std::string(f.name)] = json_of(options.*f.member); });
  return out;
}

namespace detail {
inline std::string text_of_json(std::string_view name, const Json& value) {
  if (value.is_null() || value.is_structured()) {
    fail(ErrorKind::usage, "`{}`: expected one value, not {}", name, value.dump());
  }
  return value.is_string() ? value.get<std::string>() : value.dump();
}
}  // namespace detail

/// Sets the fields named in `json`; an unknown key is an error that suggests the nearest known one.
template <class S>
void fields_from_json(const Json& json, S& options) {
  std::vector<std::string_view> names;
  for_each_field<S>([&](const auto& f) { names.push_back(f.name); });
  if (!json.is_object()) fail(ErrorKind::usage, "options: expected an object of names and values");
  for (const auto& item : json.items()) {
    const std::string& key = item.key();
    const Json& value = item.value();
    bool known = false;
    for_each_field<S>([&](const auto& f) {
      if (f.name != key) return;
      known = true;
      auto& member = options.*f.member;
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(member)>, std::vector<std::string>>) {
        if (!value.is_array()) fail(ErrorKind::usage, "`{}`: expected a list", f.name);
        member.clear();
        for (const auto& word : value) parse_value(option_name(f.name), detail::text_of_json(f.name, word), member);
      } else {
        parse_value(option_name(f.name), detail::text_of_json(f.name, value), member);
      }
    });
    if (!known) fail(ErrorKind::usage, "unknown option '{}'{}", key, did_you_mean(key, names));
  }
}

}  // namespace polyad
