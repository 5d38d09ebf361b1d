#pragma once
// One exception type with a kind. The library never prints and never exits: callers decide what a kind means
// (the command-line tool maps it to an exit code).

#include <fmt/format.h>

#include <stdexcept>
#include <string>

namespace polyad {

enum class ErrorKind {
  usage,     ///< an option or argument breaks a rule
  data,      ///< the data cannot be read as, or used for, what was asked
  diverged,  ///< no finite model was found
  file,      ///< a file is missing, unreadable or cannot be written
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

/// What fail() does, compiled once.
[[noreturn]] void fail_formatted(ErrorKind kind, fmt::string_view format, fmt::format_args args);

/// Throws an Error whose message says what is wrong, where, and how to mend it: one line, no full stop at the end.
template <class... Args>
[[noreturn]] void fail(ErrorKind kind, fmt::format_string<Args...> format, Args&&... args) {
  fail_formatted(kind, format, fmt::make_format_args(args...));
}

}  // namespace polyad
