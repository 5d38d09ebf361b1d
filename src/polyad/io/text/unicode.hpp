#pragma once
// UTF-8, in which every text is held here, and UTF-16, in which MATLAB keeps texts. What is not valid UTF-16 becomes U+FFFD.

#include <cstddef>
#include <string>
#include <string_view>

namespace polyad {

/// The length of the valid UTF-8 character at the front of `text` (no overlong forms, no surrogates); 0 where there is none.
std::size_t utf8_character(std::string_view text);
bool is_utf8(std::string_view text);

std::string utf8_of(std::u16string_view wide);
std::u16string utf16_of(std::string_view text);

/// Appends a code point.
void append_utf8(std::string& out, char32_t code);
/// Takes one code point off the front of a text that is not empty.
char32_t take_code(std::string_view& text);

}  // namespace polyad
