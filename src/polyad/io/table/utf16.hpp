#pragma once
// UTF-16, in which MATLAB keeps texts. What is not valid becomes U+FFFD.

#include <string>
#include <string_view>

namespace polyad {

std::string utf8_of(std::u16string_view wide);
std::u16string utf16_of(std::string_view text);

/// Appends a code point.
void append_utf8(std::string& out, char32_t code);
/// Takes one code point off the front of a text that is not empty.
char32_t take_code(std::string_view& text);

}  // namespace polyad
