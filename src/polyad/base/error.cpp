#include <polyad/base/error.hpp>

#include <utility>

namespace polyad {

namespace {

// Around an option's name; neither is ever part of a message's words.
constexpr char name_begins = '\x1e';
constexpr char name_ends = '\x1f';

}  // namespace

std::string option_name(std::string_view field) {
  return fmt::format("{}{}{}", name_begins, field, name_ends);
}

std::string shown_options(std::string_view text, const std::function<std::string(std::string_view field)>& show) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t begin = text.find(name_begins);
    shown += text.substr(0, begin);
    if (begin == std::string_view::npos) break;
    const std::size_t end = text.find(name_ends, begin);
    if (end == std::string_view::npos) break;
    shown += show(text.substr(begin + 1, end - begin - 1));
    text.remove_prefix(end + 1);
  }
  return shown;
}

Error::Error(ErrorKind kind, std::string text)
    : std::runtime_error(shown_options(text, [](std::string_view field) { return std::string(field); })),
      kind_(kind),
      text_(std::move(text)) {}

void fail_formatted(ErrorKind kind, fmt::string_view format, fmt::format_args args) {
  std::string text = fmt::vformat(format, args);
  // An error is one line, whatever texts of others it quotes.
  for (char& c : text) {
    const bool control = static_cast<unsigned char>(c) < ' ' || c == '\x7f';
    if (control && c != name_begins && c != name_ends) c = ' ';
  }
  throw Error(kind, std::move(text));
}

}  // namespace polyad
