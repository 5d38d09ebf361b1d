#include "options.hpp"

#include <polyad/base/text.hpp>

#include <algorithm>

namespace polyad::python {

namespace {

template <class T>
struct Plain {
  using type = T;
  static constexpr bool optional = false;
};
template <class T>
struct Plain<std::optional<T>> {
  using type = T;
  static constexpr bool optional = true;
};

template <class P>
const char* type_word() {
  if constexpr (WordEnum<P>) {
    return "word";
  } else if constexpr (std::is_same_v<P, bool>) {
    return "bool";
  } else if constexpr (std::is_floating_point_v<P>) {
    return "float";
  } else if constexpr (std::is_integral_v<P>) {
    return "int";
  } else if constexpr (std::is_same_v<P, std::vector<std::string>>) {
    return "texts";
  } else {
    return "text";
  }
}

template <class Group>
void list_fields(py::list& out, std::string_view title) {
  const Group defaults{};
  for_each_field<Group>([&](const auto& f) {
    using T = std::remove_cvref_t<decltype(defaults.*f.member)>;
    using P = typename Plain<T>::type;
    py::dict entry;
    entry["group"] = std::string(title);
    entry["name"] = keyword_of(f.name);
    entry["type"] = type_word<P>();
    entry["auto"] = Plain<T>::optional;
    entry["default"] = text_of(defaults.*f.member);
    entry["help"] = as_keywords(mark_options(f.help));
    py::list words;
    if constexpr (WordEnum<P>) {
      for (const std::string_view word : words_of(P{})) words.append(std::string(word));
    }
    entry["words"] = words;
    out.append(entry);
  });
}

}  // namespace

std::string keyword_of(std::string_view field) {
  std::string name(field);
  std::ranges::replace(name, '-', '_');
  return name;
}

std::string text_of_value(std::string_view field, const py::handle& value) {
  if (value.is_none()) return "auto";
  if (py::isinstance<py::bool_>(value)) return value.cast<bool>() ? "true" : "false";
  if (py::isinstance<py::str>(value)) return value.cast<std::string>();
  if (PyFloat_Check(value.ptr()) != 0) return py::repr(py::float_(value.cast<double>())).cast<std::string>();
  if (PyIndex_Check(value.ptr()) != 0) {
    const auto whole = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
    if (!whole) throw py::error_already_set();
    return py::str(whole).cast<std::string>();
  }
  if (py::hasattr(value, "__fspath__")) return value.attr("__fspath__")().cast<std::string>();
  if (PyNumber_Check(value.ptr()) != 0 && py::hasattr(value, "__float__")) {
    return py::repr(py::float_(py::reinterpret_borrow<py::object>(value))).cast<std::string>();
  }
  fail(ErrorKind::usage, "{}: expected one value, not {} of type {}", option_name(field),
       py::repr(value).cast<std::string>(), py::str(py::type::handle_of(value).attr("__name__")).cast<std::string>());
}

FitOptions fit_options_of(const py::dict& given) {
  py::dict left = py::reinterpret_steal<py::dict>(PyDict_Copy(given.ptr()));
  FitOptions options;
  std::vector<std::string> names;
  for_each_group(options, [&](std::string_view, auto& group) {
    using Group = std::remove_cvref_t<decltype(group)>;
    for_each_field<Group>([&](const auto& f) { names.push_back(keyword_of(f.name)); });
    take_fields(left, group);
  });
  for (const auto& item : left) {
    const auto key = item.first.cast<std::string>();
    const std::vector<std::string_view> views(names.begin(), names.end());
    fail(ErrorKind::usage, "unknown option '{}'{}; polyad.options() lists all", key, did_you_mean(key, views));
  }
  return options;
}

void add_options(py::module_& m) {
  m.def(
      "fit_fields",
      [] {
        py::list out;
        FitOptions options;
        for_each_group(options, [&](std::string_view title, auto& group) {
          list_fields<std::remove_cvref_t<decltype(group)>>(out, title);
        });
        return out;
      },
      "Every option of a fit: group, name, type, whether it can be auto, default, help, words.");
  m.def(
      "data_fields",
      [] {
        py::list out;
        list_fields<DataOptions>(out, "Data");
        return out;
      },
      "The same for data files.");
  m.def(
      "table_fields",
      [] {
        py::list out;
        list_fields<ImportOptions>(out, "Table");
        return out;
      },
      "The same for tables.");
}

}  // namespace polyad::python
