#pragma once
// One exception type with a kind. The library never prints and never exits: callers decide what a kind means
// (the command-line tool maps it to an exit code).

#include <fmt/format.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace polyad {

enum class ErrorKind {
  usage,     ///< an option or argument breaks a rule
  data,      ///< the data cannot be read as, or used for, what was asked
  diverged,  ///< no finite model was found
  file,      ///< a file is missing, unreadable or cannot be written
};

/// The name of an option within a message. The library knows options by their fields ("rank"); a front end shows them as its
/// users write them ("--rank", "rank="), see shown_options.
std::string option_name(std::string_view field);

/// A text with option names in it, each replaced by show(field).
std::string shown_options(std::string_view text, const std::function<std::string(std::string_view field)>& show);

class Error : public std::runtime_error {
 public:
  /// `text` may hold option names; what() shows them as plain fields.
  Error(ErrorKind kind, std::string text);
  ErrorKind kind() const { return kind_; }
  /// The message as it was given, for shown_options.
  const std::string& text() const { return text_; }

 private:
  ErrorKind kind_;
  std::string text_;
};

/// What fail() does, compiled once.
[[noreturn]] void fail_formatted(ErrorKind kind, fmt::string_view format, fmt::format_args args);

/// Throws an Error whose message says what is wrong, where, and how to fix it: one line, no full stop at the end.
template <class... Args>
[[noreturn]] void fail(ErrorKind kind, fmt::format_string<Args...> format, Args&&... args) {
  fail_formatted(kind, format, fmt::make_format_args(args...));
}

}  // namespace polyad
