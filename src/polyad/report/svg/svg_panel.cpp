#include <polyad/base/error.hpp>
#include <polyad/report/html/report_parts.hpp>
#include <polyad/report/svg/svg_panel.hpp>
#include <polyad/report/text/readable.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace polyad {

namespace {

constexpr double below = 16;        // room for marks under lines and columns
constexpr double row_pitch = 13.5;  // of bars lying down
constexpr double small = 10;        // font size of labels and marks
constexpr std::size_t most_ordered_rows = 16;

std::string value_text(double value, bool shares) {
  return shares ? percent(value) : short_number(value);
}

/// The range drawn: always includes zero, never empty.
struct Range {
  double low = 0, high = 0;
  double part(double v) const { return (v - low) / (high - low); }
};
Range range_of(std::span<const double> column) {
  Range range;
  for (const double v : column) {
    range.low = std::min(range.low, v);
    range.high = std::max(range.high, v);
  }
  if (range.low == range.high) range.high = 1;
  return range;
}

/// Axis marks that do not run into each other, the frame's base line and the largest value.
void draw_axes(SvgWriter& svg, const Rect& plot, const ModeView& view, const Labels& labels, const Range& range,
               bool shares, bool centred) {
  const double step =
      plot.width / static_cast<double>(centred ? view.extent : std::max<std::uint64_t>(1, view.extent - 1));
  const ModeLabels& names = labels_of_mode(labels, view.mode);
  const double typical = std::max({text_width(entry_title(labels, view.mode, view.extent - 1), small), 8.0}) + 12;
  const bool brief = mode_kind(names, view.extent) == ModeKind::index;
  const auto most = static_cast<std::size_t>(std::max(2.0, plot.width / (brief ? typical : 34)));
  double free_from = plot.x - 12;
  for (const Tick& tick : axis_ticks(names, view.extent, most)) {
    const double x = plot.x + (static_cast<double>(tick.index) + (centred ? 0.5 : 0.0)) * step;
    const double half = 0.5 * text_width(tick.text, small);
    if (x - half < free_from || x + half > plot.right() + 14) continue;
    if (!centred) svg.line(x, plot.y, x, plot.bottom(), ink::grid);
    svg.line(x, plot.bottom(), x, plot.bottom() + 3, ink::axis);
    svg.text(x, plot.bottom() + 12.5, tick.text, small, ink::muted, "middle");
    free_from = x + half + 4;
  }
  const double zero = plot.bottom() - range.part(0) * plot.height;
  svg.line(plot.x, zero, plot.right(), zero, ink::axis);
  svg.text(plot.x, plot.y - 2.5, value_text(range.high, shares), 9, ink::muted);
  if (range.low < 0) svg.text(plot.x, plot.bottom() - 2, value_text(range.low, shares), 9, ink::muted);
}

void draw_line(SvgWriter& svg, const Rect& box, const ModeView& view, const Labels& labels,
               std::span<const double> column, bool shares, std::string_view color) {
  const Rect plot{box.x, box.y + 9, box.width, box.height - below - 9};
  const Range range = range_of(column);
  draw_axes(svg, plot, view, labels, range, shares, false);
  const double step = plot.width / static_cast<double>(std::max<std::size_t>(1, column.size() - 1));
  std::string curve;
  double first_x = plot.x, last_x = plot.x;
  for (const std::size_t i : thinned(column, static_cast<std::size_t>(plot.width))) {
    const double x = plot.x + static_cast<double>(i) * step;
    const double y = plot.bottom() - range.part(column[i]) * plot.height;
    if (curve.empty()) first_x = x;
    last_x = x;
    curve += fmt::format("{}{:.1f} {:.1f}", curve.empty() ? "M" : "L", x, y);
  }
  const double zero = plot.bottom() - range.part(0) * plot.height;
  svg.path(fmt::format("{}L{:.1f} {:.1f}L{:.1f} {:.1f}Z", curve, last_x, zero, first_x, zero),
           fmt::format("fill=\"{}\" fill-opacity=\"0.22\"", color));
  svg.path(curve, fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"1.1\" stroke-linejoin=\"round\"", color));
}

void draw_columns(SvgWriter& svg, const Rect& box, const ModeView& view, const Labels& labels,
                  std::span<const double> column, bool shares, std::string_view color) {
  const Rect plot{box.x, box.y + 9, box.width, box.height - below - 9};
  const Range range = range_of(column);
  const double step = plot.width / static_cast<double>(column.size());
  const double bar = std::min(0.78 * step, 40.0);
  const double zero = plot.bottom() - range.part(0) * plot.height;
  for (std::size_t i = 0; i < column.size(); ++i) {
    const double y = plot.bottom() - range.part(column[i]) * plot.height;
    const double x = plot.x + (static_cast<double>(i) + 0.5) * step - 0.5 * bar;
    svg.rect({x, std::min(y, zero), bar, std::abs(y - zero)}, color, column[i] < 0 ? 0.55 : 1);
  }
  draw_axes(svg, plot, view, labels, range, shares, true);
}

void draw_rows(SvgWriter& svg, const Rect& box, const ModeView& view, const Labels& labels,
               std::span<const double> column, bool shares, std::string_view color) {
  std::vector<std::size_t> shown(column.size());
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  const bool all = view.style == PanelStyle::rows;
  if (!all) {
    std::stable_sort(shown.begin(), shown.end(),
                     [&](std::size_t a, std::size_t b) { return std::abs(column[a]) > std::abs(column[b]); });
    shown.resize(std::min(shown.size(), view.top));
  }
  std::vector<double> values;
  double label_width = 0;
  for (const std::size_t i : shown) {
    values.push_back(column[i]);
    label_width = std::max(label_width, text_width(entry_title(labels, view.mode, i), small));
  }
  label_width = std::min(label_width, 0.5 * box.width) + 6;
  const Range range = range_of(values);
  const double number_width = 34;
  const Rect bars{box.x + label_width, box.y, std::max(10.0, box.width - label_width - number_width), box.height};
  const double zero = bars.x + range.part(0) * bars.width;
  double y = box.y + 4;
  for (std::size_t row = 0; row < shown.size(); ++row, y += row_pitch) {
    const double end = bars.x + range.part(values[row]) * bars.width;
    const std::string label = cut_to_pixels(entry_title(labels, view.mode, shown[row]), label_width - 4, small);
    svg.text(bars.x - 6, y + 9.5, label, small, ink::text, "end");
    svg.rect({std::min(zero, end), y + 1.5, std::abs(end - zero), row_pitch - 3.5}, color, values[row] < 0 ? 0.55 : 1);
    const double beside = std::max(zero, end) + 4;
    svg.text(beside, y + 9.5, value_text(values[row], shares), 9, ink::muted);
  }
  svg.line(zero, box.y + 4, zero, y, ink::axis);
  if (all || shown.size() == column.size()) return;
  double rest = 0, largest = 0;
  for (const double v : column) rest += v;
  for (const double v : values) rest -= v;
  if (!shares) largest = std::abs(values.back());
  const std::size_t others = column.size() - shown.size();
  svg.text(bars.x - 6, y + 9.5, fmt::format("{} other{}", others, others == 1 ? "" : "s"), small, ink::muted, "end",
           "font-style=\"italic\"");
  svg.text(zero + 4, y + 9.5, shares ? percent(std::max(0.0, rest)) : "within ±" + short_number(largest), 9,
           ink::muted);
}

bool short_labels(const ModeLabels& labels) {
  return std::all_of(labels.entries.begin(), labels.entries.end(),
                     [](const std::string& entry) { return display_width(entry) <= 2; });
}

}  // namespace

ModeView view_of_mode(const Labels& labels, std::size_t mode, std::uint64_t extent, std::size_t top,
                      const RegionMap* map) {
  const ModeLabels& names = labels_of_mode(labels, mode);
  const ModeKind kind = mode_kind(names, extent);
  ModeView view{.mode = mode, .extent = extent, .top = std::max<std::size_t>(1, top)};
  if (map != nullptr) {
    view.style = PanelStyle::map;
    view.map = map;
    view.height = map_panel_height;
    view.share_of_width = 1.15;
    view.least_width = 190;
    return view;
  }
  const bool ordered = kind == ModeKind::time || kind == ModeKind::index || kind == ModeKind::hours;
  if (ordered || (kind == ModeKind::few && short_labels(names))) {
    view.style = extent > few_entries ? PanelStyle::line : PanelStyle::columns;
    view.share_of_width = extent > few_entries ? 1.7 : 1.0;
    view.least_width = extent > few_entries ? 220 : 140;
    return view;
  }
  view.style = extent <= most_ordered_rows ? PanelStyle::rows : PanelStyle::top_rows;
  view.share_of_width = 1.15;
  view.least_width = 170;
  const std::uint64_t rows =
      view.style == PanelStyle::rows ? extent : std::min<std::uint64_t>(extent, view.top) + (extent > view.top ? 1 : 0);
  view.height = std::max(view.height, row_pitch * static_cast<double>(rows) + 8);
  return view;
}

void draw_panel(SvgWriter& svg, const Rect& box, const ModeView& view, const Labels& labels,
                std::span<const double> column, bool shares, std::string_view color) {
  switch (view.style) {
    case PanelStyle::line:
      return draw_line(svg, box, view, labels, column, shares, color);
    case PanelStyle::columns:
      return draw_columns(svg, box, view, labels, column, shares, color);
    case PanelStyle::map:
      return draw_map(svg, box, view, labels, column, shares, color);
    case PanelStyle::rows:
    case PanelStyle::top_rows:
      return draw_rows(svg, box, view, labels, column, shares, color);
  }
}

}  // namespace polyad
