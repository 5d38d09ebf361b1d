#pragma once
// The one way to the terminal. Labels, names of columns and file names come from others: whatever text is put into a message is
// made harmless first (no escape sequences, no line ends, valid UTF-8), so that a file cannot write on the user's screen.
// Nothing else in this folder prints; tests/architecture checks it. Also what the terminal is like.

#include <polyad/base/json_value.hpp>
#include <polyad/report/text/text.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>

namespace polyad::cli {

/// Text becomes printable, everything else stays as it is.
template <class T>
using SafeArgument = std::conditional_t<std::is_convertible_v<const T&, std::string_view>, std::string, const T&>;

template <class T>
SafeArgument<T> safe_argument(const T& argument) {
  if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    return printable(argument);
  } else {
    return argument;
  }
}

/// As it is: for text that was made printable where it was laid out (colours, progress).
void print_trusted(std::FILE* stream, std::string_view text);

/// A result, to the standard output.
template <class... Args>
void print_out(fmt::format_string<SafeArgument<Args>...> format, const Args&... args) {
  print_trusted(stdout, fmt::format<SafeArgument<Args>...>(format, safe_argument(args)...));
}

/// A remark, to the standard error.
template <class... Args>
void print_err(fmt::format_string<SafeArgument<Args>...> format, const Args&... args) {
  print_trusted(stderr, fmt::format<SafeArgument<Args>...>(format, safe_argument(args)...));
}

/// JSON, to the standard output: what a terminal would obey is written as \uXXXX, which reads back as the same text.
void print_as_json(const Json& json);

bool stdout_is_terminal();
bool stderr_is_terminal();
/// Columns of the terminal behind standard output (or error), 80 where there is none; COLUMNS overrides.
std::size_t terminal_width();
/// Whether to use colour on standard output: a terminal, and NO_COLOR not set.
bool use_color();

/// "4.2 s", "3 min 20 s", "1 h 02 min"
std::string duration(double seconds);

}  // namespace polyad::cli
