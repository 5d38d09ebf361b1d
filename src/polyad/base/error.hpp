#pragma once
// Throwing errors (polyad/error.hpp has their type). Format strings may name options in backquotes: "`rank`",
// "`method gcp-full`", "`method {}`".

#include <polyad/error.hpp>

#include <fmt/format.h>

namespace polyad {

/// What fail() does, compiled once.
[[noreturn]] void fail_formatted(ErrorKind kind, fmt::string_view format, fmt::format_args args);

/// Throws an Error whose message says what is wrong, where, and how to fix it: one line, no full stop at the end.
template <class... Args>
[[noreturn]] void fail(ErrorKind kind, fmt::format_string<Args...> format, Args&&... args) {
  fail_formatted(kind, format, fmt::make_format_args(args...));
}

}  // namespace polyad
