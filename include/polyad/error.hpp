#pragma once
// Errors. Everything that goes wrong is thrown as one exception type with a kind; the library never prints and never exits.
// A message is one line that says what is wrong, where, and how to fix it.
//
// Messages name options by their fields ("method"). Who shows a message to people can show options as these people write them:
//
//   catch (const polyad::Error& e) {
//     show(polyad::shown_options(e.text(), [](auto field, auto value) { return "--" + std::string(field) + ...; }));
//   }

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

class Error : public std::runtime_error {
 public:
  /// `text` may hold option names (option_name); what() shows them as plain fields.
  Error(ErrorKind kind, std::string text);
  ErrorKind kind() const { return kind_; }
  /// The message as it was given, for shown_options.
  const std::string& text() const { return text_; }

 private:
  ErrorKind kind_;
  std::string text_;
};

/// How an option is shown; `value` may be empty.
using OptionStyle = std::function<std::string(std::string_view field, std::string_view value)>;
/// A text with option names in it, each as `show` has it.
std::string shown_options(std::string_view text, const OptionStyle& show);
/// The style of those who ask for none: "rank", "method gcp-full".
std::string plain_options(std::string_view field, std::string_view value);

/// The name of an option within a message, with or without a value.
std::string option_name(std::string_view field, std::string_view value = {});
/// A text of your own in which `rank` or `method gcp-full`, in backquotes, become option names.
std::string mark_options(std::string_view text);

}  // namespace polyad
