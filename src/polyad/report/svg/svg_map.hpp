#pragma once
// A mode whose indices are regions, as a map: the larger an entry the stronger its colour, with the names of the largest
// beside it.

#include <polyad/report/svg/svg_panel.hpp>

namespace polyad {

inline constexpr double map_panel_height = 132;

void draw_map(SvgWriter& svg, const Box& box, const ModeView& view, const Labels& labels,
              std::span<const double> column, bool shares, std::string_view color);

}  // namespace polyad
