// Errors of the library as the classes of polyad.errors, with options shown as keywords.

#include "module.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <exception>

namespace polyad::python {

namespace {

const char* class_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return "UsageError";
    case ErrorKind::data:
      return "DataError";
    case ErrorKind::diverged:
      return "DivergedError";
    case ErrorKind::file:
      return "FileError";
  }
  return "Error";
}

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '+' || c == 'e';
  });
}

// What to call instead of a command that a message recommends, as in "'polyad import' reads tables".
struct Call {
  std::string_view command;
  std::string_view function;
};
constexpr std::array calls = {
    Call{"fit", "polyad.fit"},
    Call{"import", "polyad.from_table"},
    Call{"losses", "polyad.losses()"},
    Call{"show", "polyad.load"},
};

// 'polyad COMMAND' and 'polyad COMMAND FILE', in quotes, as calls.
std::string with_calls(std::string text) {
  constexpr std::string_view mark = "'polyad ";
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
    const std::size_t end = text.find('\'', at + 1);
    if (end == std::string::npos) break;
    const std::string_view inside = std::string_view(text).substr(at + mark.size(), end - at - mark.size());
    const std::size_t space = inside.find(' ');
    const auto call = std::ranges::find(calls, inside.substr(0, space), &Call::command);
    if (call == calls.end()) continue;
    std::string shown(call->function);
    if (space != std::string_view::npos) shown += fmt::format("('{}')", inside.substr(space + 1));
    text.replace(at, end + 1 - at, shown);
  }
  return text;
}

}  // namespace

std::string as_keywords(std::string_view text) {
  const std::string marked = with_calls(std::string(text));
  return shown_options(marked, [](std::string_view field, std::string_view value) {
    std::string name(field);
    std::ranges::replace(name, '-', '_');
    if (value.empty()) return name + "=";
    return is_number(value) ? fmt::format("{}={}", name, value) : fmt::format("{}='{}'", name, value);
  });
}

void add_errors(py::module_& m) {
  m.def("as_keywords", &as_keywords, py::arg("text"));
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const Error& error) {
      const py::object type = py::module_::import("polyad.errors").attr(class_of(error.kind()));
      PyErr_SetObject(type.ptr(), py::str(as_keywords(error.text())).ptr());
    }
  });
}

}  // namespace polyad::python
