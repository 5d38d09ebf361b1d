#include <polyad/report/text/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

namespace polyad {

namespace {

constexpr char32_t bad = 0xFFFD;

/// Reads one code point at `at` and moves on; anything malformed is one byte long and reads as U+FFFD.
char32_t next_code_point(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at++);
  if (first < 0x80) return first;
  const int more = first >= 0xF0 && first < 0xF5   ? 3
                   : first >= 0xE0 && first < 0xF0 ? 2
                   : first >= 0xC2 && first < 0xE0 ? 1
                                                   : 0;
  if (more == 0 || at + static_cast<std::size_t>(more) > text.size()) return bad;
  char32_t code = first & (0x3F >> more);
  for (int i = 0; i < more; ++i) {
    if ((byte(at + static_cast<std::size_t>(i)) & 0xC0) != 0x80) return bad;
    code = (code << 6) | (byte(at + static_cast<std::size_t>(i)) & 0x3F);
  }
  constexpr std::array<char32_t, 4> least = {0, 0x80, 0x800, 0x10000};
  if (code < least[static_cast<std::size_t>(more)] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return bad;
  at += static_cast<std::size_t>(more);
  return code;
}

void append_utf8(std::string& out, char32_t code) {
  const auto put = [&](char32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | (code >> 6));
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | (code >> 12));
    put(0x80 | ((code >> 6) & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | (code >> 18));
    put(0x80 | ((code >> 12) & 0x3F));
    put(0x80 | ((code >> 6) & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

bool within(char32_t code, char32_t low, char32_t high) {
  return code >= low && code <= high;
}

// What a terminal obeys instead of showing it: control characters, and marks that turn the direction of what follows.
bool is_control(char32_t code) {
  return code < 0x20 || within(code, 0x7F, 0x9F) || within(code, 0x202A, 0x202E) || within(code, 0x2066, 0x2069) ||
         (code & 0xFFFE) == 0xFFFE;
}

std::size_t width_of(char32_t code) {
  const bool combining = within(code, 0x0300, 0x036F) || within(code, 0x200B, 0x200F) || within(code, 0xFE00, 0xFE0F) ||
                         within(code, 0x20D0, 0x20FF);
  if (combining) return 0;
  const bool wide = within(code, 0x1100, 0x115F) || within(code, 0x2E80, 0xA4CF) || within(code, 0xAC00, 0xD7A3) ||
                    within(code, 0xF900, 0xFAFF) || within(code, 0xFE30, 0xFE6F) || within(code, 0xFF00, 0xFF60) ||
                    within(code, 0x1F300, 0x1FAFF) || within(code, 0x20000, 0x3FFFD);
  return wide ? 2 : 1;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    char32_t code = next_code_point(text, at);
    if (code == '\t' || code == '\n' || code == '\r') code = ' ';
    append_utf8(out, is_control(code) ? bad : code);
  }
  return out;
}

std::string printable_lines(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out += printable(text.substr(at, end - at));
    if (end < text.size()) out += '\n';
    at = end + 1;
  }
  return out;
}

std::string terminal_json(std::string_view json) {
  std::string out;
  for (std::size_t at = 0; at < json.size();) {
    const char32_t code = next_code_point(json, at);
    if (code != '\n' && is_control(code)) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<std::uint32_t>(code) & 0xFFFF);
    } else {
      append_utf8(out, code);
    }
  }
  return out;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) width += width_of(next_code_point(text, at));
  return width;
}

std::string cut_to(std::string_view text, std::size_t columns, bool ascii) {
  std::string safe = printable(text);
  if (display_width(safe) <= columns) return safe;
  if (columns == 0) return {};
  std::size_t width = 0, end = 0;
  for (std::size_t at = 0; at < safe.size();) {
    width += width_of(next_code_point(safe, at));
    if (width > columns - 1) break;
    end = at;
  }
  safe.resize(end);
  return safe + (ascii ? "~" : "…");
}

std::string fit_to(std::string_view text, std::size_t columns, bool ascii) {
  std::string out = cut_to(text, columns, ascii);
  out.append(columns - display_width(out), ' ');
  return out;
}

std::string xml_escape(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out.push_back(c);
    }
  }
  return out;
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%";
  if (!text.empty() && text.find_first_not_of(plain) == std::string_view::npos) return std::string(text);
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out.push_back(c);
    }
  }
  return out + "'";
}

}  // namespace polyad
