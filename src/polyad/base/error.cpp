#include <polyad/base/error.hpp>

#include <utility>

namespace polyad {

namespace {

// Around an option's name; neither is ever part of a message's words.
constexpr char name_begins = '\x1e';
constexpr char name_ends = '\x1f';

}  // namespace

std::string option_name(std::string_view field, std::string_view value) {
  return fmt::format("{}{}{}{}{}", name_begins, field, value.empty() ? "" : " ", value, name_ends);
}

std::string mark_options(std::string_view text) {
  std::string marked(text);
  bool inside = false;
  for (char& c : marked) {
    if (c != '`') continue;
    c = inside ? name_ends : name_begins;
    inside = !inside;
  }
  return marked;
}

std::string shown_options(std::string_view text, const OptionStyle& show) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t begin = text.find(name_begins);
    shown += text.substr(0, begin);
    if (begin == std::string_view::npos) break;
    const std::size_t end = text.find(name_ends, begin);
    if (end == std::string_view::npos) break;
    const std::string_view name = text.substr(begin + 1, end - begin - 1);
    const std::size_t blank = name.find(' ');
    const bool alone = blank == std::string_view::npos;
    shown += show(name.substr(0, blank), alone ? std::string_view() : name.substr(blank + 1));
    text.remove_prefix(end + 1);
  }
  return shown;
}

Error::Error(ErrorKind kind, std::string text)
    : std::runtime_error(shown_options(text, plain_options)), kind_(kind), text_(std::move(text)) {}

void fail_formatted(ErrorKind kind, fmt::string_view format, fmt::format_args args) {
  std::string text = fmt::vformat(mark_options({format.data(), format.size()}), args);
  // An error is one line, whatever texts of others it quotes.
  for (char& c : text) {
    const bool control = static_cast<unsigned char>(c) < ' ' || c == '\x7f';
    if (control && c != name_begins && c != name_ends) c = ' ';
  }
  throw Error(kind, std::move(text));
}

std::string plain_options(std::string_view field, std::string_view value) {
  return fmt::format("{}{}{}", field, value.empty() ? "" : " ", value);
}

}  // namespace polyad
