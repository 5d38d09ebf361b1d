#include "polyad/parser_help.hpp"

#include "polyad/print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace polyad::cli {

namespace {

constexpr std::size_t left_column = 28;

// `text` as lines of at most `width`, broken between words.
std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines(1);
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    std::string& line = lines.back();
    if (!line.empty() && line.size() + 1 + word.size() > width) {
      lines.push_back(word);
    } else {
      line += (line.empty() ? "" : " ") + word;
    }
  }
  return lines;
}

}  // namespace

std::string ParserHelp::make_option_opts(const CLI::Option* option) const {
  return option->get_positional() || option->get_type_name().empty() ? "" : " " + option->get_type_name();
}

std::string ParserHelp::make_option_desc(const CLI::Option* option) const {
  const std::string standard = option->get_default_str();
  // "auto" is explained in the text itself; a default of 0 that is refused is none.
  const bool tell = !standard.empty() && standard != "auto" && option->get_name() != "--rank";
  return option->get_description() + (tell ? fmt::format(" [{}]", standard) : "");
}

std::string ParserHelp::make_option(const CLI::Option* option, bool is_positional) const {
  const std::string left =
      "  " + make_option_name(option, is_positional) + (is_positional ? "" : make_option_opts(option));
  const std::size_t width = std::clamp<std::size_t>(terminal_width(), 60, 120);
  std::string text = left;
  bool first = true;
  for (const std::string& line : wrapped(make_option_desc(option), width - left_column)) {
    const bool fits = first && left.size() + 2 <= left_column;
    text += fits ? std::string(left_column - left.size(), ' ') : "\n" + std::string(left_column, ' ');
    text += line;
    first = false;
  }
  return text + "\n";
}

}  // namespace polyad::cli
