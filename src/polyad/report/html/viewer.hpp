#pragma once
// What runs inside an HTML report; made from viewer/ and D3 when polyad is built (viewer/embed.cmake).

#include <string_view>

namespace polyad {

std::string_view viewer_d3();
std::string_view viewer_script();
std::string_view viewer_style();

}  // namespace polyad
