#include <polyad/base/error.hpp>
#include <polyad/io/messages.hpp>
#include <polyad/io/text/unicode.hpp>

namespace polyad {

void fail_at_formatted(const std::string& path, std::uint64_t line, fmt::string_view format, fmt::format_args args) {
  const std::string text = fmt::vformat(mark_options({format.data(), format.size()}), args);
  fail(ErrorKind::data, "{}:{}: {}", path, line, text);
}

std::string excerpt(std::string_view text) {
  constexpr std::size_t most = 40;
  std::string out;
  while (!text.empty() && out.size() < most) {
    const std::size_t length = utf8_character(text);
    if (length == 0 || static_cast<unsigned char>(text[0]) < ' ' || text[0] == '\x7f') {
      out += '?';
      text.remove_prefix(1);
    } else {
      out += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  if (!text.empty()) out += "...";
  return out;
}

}  // namespace polyad
