#include <polyad/base/error.hpp>
#include <polyad/report.hpp>
#include <polyad/report/svg/svg_panel.hpp>
#include <polyad/report/text/readable.hpp>

#include <algorithm>
#include <cmath>

namespace polyad {

namespace {

constexpr std::size_t names_beside = 5;
constexpr std::string_view opposite = "#8c510a";  // of negative entries

std::string outline(const Region& region, double scale, double x, double y) {
  std::string path;
  for (const auto& ring : region.rings) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      fmt::format_to(std::back_inserter(path), "{}{:.1f} {:.1f}", i == 0 ? "M" : "L", x + scale * ring[i].x,
                     y + scale * ring[i].y);
    }
    // A place without extent becomes a small diamond.
    path += ring.size() == 1 ? "m-2.5 0l2.5 -2.5l2.5 2.5l-2.5 2.5Z" : "Z";
  }
  return path;
}

}  // namespace

void draw_map(SvgWriter& svg, const Rect& box, const ModeView& view, const Labels& labels,
              std::span<const double> column, bool shares, std::string_view color) {
  const RegionMap& map = *view.map;
  const double width = std::min(box.width * 0.5, box.height * map.width / map.height);
  const double scale = std::min(width / map.width, box.height / map.height);
  double largest = 0;
  for (const double v : column) largest = std::max(largest, std::abs(v));
  const double drawn = scale * map.width;
  constexpr std::string_view line = "stroke=\"#9a9a9a\" stroke-width=\"0.3\" fill-rule=\"evenodd\"";
  for (const Region& region : map.background) {
    svg.path(outline(region, scale, box.x, box.y), fmt::format("fill=\"#f4f4f4\" {}", line));
  }
  for (const Region& region : map.regions) {
    const double v = column[region.index];
    const double part = largest > 0 ? std::abs(v) / largest : 0;
    svg.path(outline(region, scale, box.x, box.y),
             fmt::format("fill=\"{}\" fill-opacity=\"{:.3f}\" {}", v < 0 ? opposite : color, part, line));
  }
  const double x = box.x + drawn + 10, room = box.right() - x;
  double y = box.y + 14;
  const std::vector<double> values(column.begin(), column.end());
  for (const std::size_t i : top_entries(values, names_beside)) {
    const std::string number = shares ? percent(values[i]) : short_number(values[i]);
    svg.text(x, y, cut_to_pixels(entry_title(labels, view.mode, i), room, 10), 10);
    svg.text(x, y + 11, number, 9, ink::muted);
    y += 25;
  }
}

}  // namespace polyad
