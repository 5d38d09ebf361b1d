#pragma once
// Keyword arguments to options and back, by the library's field lists (base/fields.hpp). A keyword is a field's name with '-'
// written as '_'. Values travel as texts, as on the command line: the same rules and the same messages.

#include "module.hpp"

#include <polyad/base/fields.hpp>
#include <polyad/options.hpp>

#include <string>
#include <string_view>

namespace polyad::python {

std::string keyword_of(std::string_view field);

/// A value as the text that the command line would have: None is "auto", True "true", a number its shortest form.
std::string text_of_value(std::string_view field, const py::handle& value);

/// Sets the fields of `group` that `given` names and takes them out of it; None leaves a field as it is.
template <class Group>
void take_fields(py::dict& given, Group& group) {
  for_each_field<Group>([&](const auto& f) {
    const py::str key(keyword_of(f.name));
    if (!given.contains(key)) return;
    const py::object value = given[key];
    PyDict_DelItem(given.ptr(), key.ptr());
    if (value.is_none()) return;
    auto& member = group.*f.member;
    using T = std::remove_cvref_t<decltype(member)>;
    if constexpr (std::is_same_v<T, std::vector<std::string>>) {
      member.clear();
      if (py::isinstance<py::str>(value)) {
        member.push_back(value.cast<std::string>());
      } else {
        for (const py::handle item : py::iter(value)) member.push_back(text_of_value(f.name, item));
      }
    } else {
      parse_value(option_name(f.name), text_of_value(f.name, value), member);
    }
  });
}

/// All options of a fit; a keyword that is none of them is a usage error with the nearest one.
FitOptions fit_options_of(const py::dict& given);

}  // namespace polyad::python
