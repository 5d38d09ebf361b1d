#include <polyad/base/error.hpp>
#include <polyad/report.hpp>
#include <polyad/report/svg/svg_panel.hpp>
#include <polyad/report/text/readable.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace polyad {

namespace {

constexpr double margin = 24;
constexpr double header_width = 118;
constexpr double gap = 30;      // between columns
constexpr double row_gap = 22;  // between rows

// Okabe and Ito's colours, which people with any form of colour blindness can tell apart, without yellow (too light
// for lines on white).
constexpr std::array<std::string_view, 7> colors = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                    "#E69F00", "#56B4E9", "#5C5C5C"};

struct Grid {
  std::vector<ModeView> views;
  std::vector<double> x, width;  ///< of the modes' columns
  double page_width = 0;
  double row_height = 0;
};

const RegionMap* map_of_mode(const std::vector<RegionMap>& maps, std::size_t mode) {
  const auto found = std::find_if(maps.begin(), maps.end(), [&](const RegionMap& map) { return map.mode == mode; });
  return found == maps.end() ? nullptr : &*found;
}

Grid lay_out(const KTensor& model, const Labels& labels, const SvgOptions& options) {
  Grid grid;
  double shares = 0;
  const double fixed = 2 * margin + header_width + gap * static_cast<double>(model.modes());
  for (std::size_t k = 0; k < model.modes(); ++k) {
    grid.views.push_back(view_of_mode(labels, k, model.factors.rows(k), options.top, map_of_mode(options.maps, k)));
    shares += grid.views.back().share_of_width;
    grid.row_height = std::max(grid.row_height, grid.views.back().height);
  }
  double scale = std::max(0.0, options.width - fixed) / shares;
  for (const ModeView& view : grid.views) scale = std::max(scale, view.least_width / view.share_of_width);
  double x = margin + header_width + gap;
  for (const ModeView& view : grid.views) {
    grid.x.push_back(x);
    grid.width.push_back(scale * view.share_of_width);
    x += grid.width.back() + gap;
  }
  grid.page_width = x - gap + margin;
  return grid;
}

/// A name on one line, or broken at the last space that lets it fit on two.
std::vector<std::string> two_lines(std::string_view name, double width, double size) {
  const std::string whole = printable(name);
  if (text_width(whole, size) <= width) return {whole};
  std::size_t at = std::string::npos;
  for (std::size_t space = whole.find(' '); space != std::string::npos; space = whole.find(' ', space + 1)) {
    if (text_width(whole.substr(0, space), size) <= width) at = space;
  }
  if (at == std::string::npos) return {cut_to_pixels(whole, width, size)};
  return {whole.substr(0, at), cut_to_pixels(whole.substr(at + 1), width, size)};
}

void draw_header(SvgWriter& svg, const ReadableModel& shown, std::size_t j, const Rect& box, const SvgOptions& options,
                 std::string_view color) {
  svg.text(box.x, box.y + 20, fmt::format("{}", j + 1), 22, color, "start", "font-weight=\"bold\"");
  double y = box.y + 38;
  if (j < options.names.size()) {
    for (const std::string& part : two_lines(options.names[j], box.width, 11.5)) {
      svg.text(box.x, y, part, 11.5, ink::text, "start", "font-weight=\"bold\"");
      y += 15;
    }
  }
  svg.text(box.x, y, fmt::format("{} {}", shown.nonnegative ? "sum" : "norm", short_number(shown.model.weights[j])), 11,
           ink::text);
  if (shown.nonnegative) {
    y += 15;
    svg.text(box.x, y, fmt::format("{} of the total", percent(shown.shares[j])), 11, ink::muted);
  }
  const double largest = *std::ranges::max_element(shown.model.weights);
  const double part = largest > 0 ? shown.model.weights[j] / largest : 0;
  svg.rect({box.x, y + 7, box.width, 5}, ink::grid);
  svg.rect({box.x, y + 7, box.width * part, 5}, color);
}

}  // namespace

std::string components_svg(const KTensor& model, const Labels& labels, const SvgOptions& options) {
  if (labels.modes() > 0) labels.check(IndexSpace(model.factors.extents()));
  const ReadableModel shown = readable(model);
  const std::size_t rank =
      options.components > 0 ? std::min(options.components, shown.model.rank()) : shown.model.rank();
  const Grid grid = lay_out(shown.model, labels, options);
  const double top = margin + (options.title.empty() ? 0 : 30);
  const double first_row = top + 28;
  const double height = first_row + static_cast<double>(rank) * (grid.row_height + row_gap) + 14;

  SvgWriter svg;
  svg.raw(
      fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
                  "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n",
                  grid.page_width, height));
  const std::string what = options.title.empty() ? fmt::format("{} components of a CP model", rank) : options.title;
  svg.raw(fmt::format("<title>{}</title>\n", xml_escape(what)));
  svg.rect({0, 0, grid.page_width, height}, "#ffffff");
  if (!options.title.empty()) {
    svg.text(margin, margin + 14, options.title, 18, ink::text, "start", "font-weight=\"bold\"");
  }
  svg.text(margin, top + 12, "component", 12, ink::muted);
  for (std::size_t k = 0; k < shown.model.modes(); ++k) {
    const std::string size = fmt::format("({})", shown.model.factors.rows(k));
    const std::string name = cut_to_pixels(mode_title(labels, k), grid.width[k] - text_width(size, 12) - 5, 13);
    svg.raw(fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"13\" fill=\"{}\"><tspan font-weight=\"bold\">{}</tspan>"
        "<tspan dx=\"5\" fill=\"{}\" font-size=\"12\">{}</tspan></text>\n",
        grid.x[k], top + 12, ink::text, xml_escape(name), ink::muted, size));
  }
  std::vector<double> column;
  for (std::size_t j = 0; j < rank; ++j) {
    const double y = first_row + static_cast<double>(j) * (grid.row_height + row_gap);
    const std::string_view color = colors[j % colors.size()];
    svg.line(margin, y - 10, grid.page_width - margin, y - 10, ink::grid);
    draw_header(svg, shown, j, {margin, y, header_width, grid.row_height}, options, color);
    for (std::size_t k = 0; k < shown.model.modes(); ++k) {
      column.resize(shown.model.factors.rows(k));
      for (std::size_t i = 0; i < column.size(); ++i) column[i] = shown.model.factors.at(k, i, j);
      draw_panel(svg, {grid.x[k], y, grid.width[k], grid.row_height}, grid.views[k], labels, column, shown.nonnegative,
                 color);
    }
  }
  const std::string_view note =
      shown.nonnegative ? "Entries are shares of their component; each panel has its own scale."
                        : "Columns have Euclidean norm 1; pale bars are negative; each panel has its own scale.";
  svg.text(margin, height - 12, note, 10, ink::muted);
  svg.raw("</svg>\n");
  return svg.take();
}

}  // namespace polyad
