#include <polyad/io/tns/fields.hpp>

#include <charconv>
#include <cstdlib>
#include <string>

namespace polyad {

TnsFields::TnsFields(std::string_view line) {
  constexpr std::string_view blanks = " \t\r\n\v\f";
  for (;;) {
    const std::size_t begin = line.find_first_not_of(blanks);
    if (begin == std::string_view::npos || line[begin] == '#') return;
    line.remove_prefix(begin);
    const std::size_t size = std::min(line.find_first_of(blanks), line.size());
    if (count < fields.size()) fields[count] = line.substr(0, size);
    ++count;
    line.remove_prefix(size);
  }
}

bool TnsFields::all_whole_numbers() const {
  if (count > fields.size()) return false;
  for (std::size_t i = 0; i < count; ++i) {
    if (!parse_whole(fields[i])) return false;
  }
  return true;
}

std::optional<std::uint64_t> parse_whole(std::string_view text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

std::optional<double> parse_number(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (stop != end) return std::nullopt;
  if (error == std::errc{}) return value;
  // from_chars does not tell too large from too small.
  if (error == std::errc::result_out_of_range) return std::strtod(std::string(text).c_str(), nullptr);
  return std::nullopt;
}

bool is_of_table(std::string_view field) {
  return field.find_first_of(",;|\"") != std::string_view::npos;
}

}  // namespace polyad
