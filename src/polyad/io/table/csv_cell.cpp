#include <polyad/io/table/csv_cell.hpp>
#include <polyad/io/tns/fields.hpp>

#include <algorithm>

namespace polyad {
namespace {

// Apostrophes, if any, and then what begins a formula. One apostrophe more or less keeps all such texts apart.
bool would_be_computed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of('\''), text.size()));
  return !text.empty() && std::string_view("=+-@\t\r").find(text[0]) != std::string_view::npos;
}

bool is_plain_number(std::string_view text) {
  return text.find_first_not_of("0123456789+-.eE") == std::string_view::npos && parse_number(text).has_value();
}

}  // namespace

std::string csv_cell(std::string_view text, bool raw) {
  const bool mark = !raw && would_be_computed(text) && !is_plain_number(text);
  const bool quote =
      text.find_first_of(",;\t\"\r\n|") != std::string_view::npos || text.starts_with(' ') || text.ends_with(' ');
  std::string out;
  if (quote) out += '"';
  if (mark) out += '\'';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  if (quote) out += '"';
  return out;
}

bool take_apostrophe_off(std::string& cell) {
  if (!cell.starts_with('\'') || !would_be_computed(cell)) return false;
  cell.erase(0, 1);
  return true;
}

}  // namespace polyad
