#pragma once
// One cell of the components grid: one column of one factor matrix.

#include <polyad/report/mode_kind.hpp>
#include <polyad/report/regions.hpp>
#include <polyad/report/svg/svg_writer.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polyad {

enum class PanelStyle {
  line,      ///< a curve over an ordered mode
  columns,   ///< upright bars with marks below
  rows,      ///< every entry a labelled bar lying down, in order
  top_rows,  ///< the largest entries so, and what the others come to
  map,       ///< regions, the darker the larger, and the names of the largest
};

/// How a mode is drawn, the same in all rows of the grid.
struct ModeView {
  std::size_t mode = 0;
  std::uint64_t extent = 1;
  PanelStyle style = PanelStyle::line;
  std::size_t top = 10;
  double share_of_width = 1;
  double least_width = 150;
  double height = 96;  ///< that a panel needs, marks below included
  const RegionMap* map = nullptr;
};
ModeView view_of_mode(const Labels& labels, std::size_t mode, std::uint64_t extent, std::size_t top,
                      const RegionMap* map = nullptr);

/// `shares`: entries are shares (printed as percentages), none is negative.
void draw_panel(SvgWriter& svg, const Rect& box, const ModeView& view, const Labels& labels,
                std::span<const double> column, bool shares, std::string_view color);

inline constexpr double map_panel_height = 132;

/// A mode whose indices are regions, as a map: the larger an entry the stronger its colour, with the names of the largest
/// beside it (svg_map.cpp).
void draw_map(SvgWriter& svg, const Rect& box, const ModeView& view, const Labels& labels,
              std::span<const double> column, bool shares, std::string_view color);

}  // namespace polyad
