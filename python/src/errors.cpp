// Errors of the library as the classes of polyad.errors, with options shown as keywords.

#include "module.hpp"

#include <algorithm>
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

}  // namespace

std::string as_keywords(std::string_view text) {
  return shown_options(text, [](std::string_view field, std::string_view value) {
    std::string name(field);
    std::ranges::replace(name, '-', '_');
    if (value.empty()) return name + "=";
    return is_number(value) ? fmt::format("{}={}", name, value) : fmt::format("{}='{}'", name, value);
  });
}

void add_errors(py::module_&) {
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
