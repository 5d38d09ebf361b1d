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

/// The name of an option within a message, with or without a value. The library knows options by their fields ("method"); a
/// front end shows them as its users write them ("--method gcp-full", "method='gcp-full'"), see shown_options. Format strings
/// of fail() may write it in backquotes instead: "`rank`", "`method gcp-full`", "`method {}`".
std::string option_name(std::string_view field, std::string_view value = {});

/// A text of our own (not one of a user's) with what stands in backquotes made option names.
std::string mark_options(std::string_view text);

/// How an option is shown; `value` may be empty.
using OptionStyle = std::function<std::string(std::string_view field, std::string_view value)>;
/// A text with option names in it, each as `show` has it.
std::string shown_options(std::string_view text, const OptionStyle& show);

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
