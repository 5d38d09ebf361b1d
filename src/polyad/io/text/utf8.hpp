#pragma once

#include <cstddef>
#include <string_view>

namespace polyad {

/// The length of the valid UTF-8 character at the front of `text` (no overlong forms, no surrogates); 0 where there is none.
std::size_t utf8_character(std::string_view text);
bool is_utf8(std::string_view text);

}  // namespace polyad
