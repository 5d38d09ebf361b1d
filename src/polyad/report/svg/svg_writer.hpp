#pragma once
// The few SVG elements the pictures need, appended to a string.

#include <polyad/report/text/text.hpp>

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace polyad {

struct Rect {
  double x = 0, y = 0, width = 0, height = 0;
  double right() const { return x + width; }
  double bottom() const { return y + height; }
};

namespace ink {
inline constexpr std::string_view text = "#222222";
inline constexpr std::string_view muted = "#6b6b6b";
inline constexpr std::string_view axis = "#9a9a9a";
inline constexpr std::string_view grid = "#e6e6e6";
}  // namespace ink

class SvgWriter {
 public:
  void rect(const Rect& box, std::string_view fill, double opacity = 1) {
    fmt::format_to(out(), "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"", box.x,
                   box.y, box.width, box.height, fill);
    if (opacity < 1) fmt::format_to(out(), " fill-opacity=\"{:.2g}\"", opacity);
    svg_ += "/>\n";
  }
  void line(double x1, double y1, double x2, double y2, std::string_view stroke, double width = 1) {
    fmt::format_to(
        out(),
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"{:.2g}\"/>\n", x1,
        y1, x2, y2, stroke, width);
  }
  /// `anchor` is start, middle or end; `extra` are further attributes.
  void text(double x, double y, std::string_view content, double size, std::string_view fill = ink::text,
            std::string_view anchor = "start", std::string_view extra = {}) {
    fmt::format_to(out(), "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:.3g}\" fill=\"{}\"", x, y, size, fill);
    if (anchor != "start") fmt::format_to(out(), " text-anchor=\"{}\"", anchor);
    if (!extra.empty()) fmt::format_to(out(), " {}", extra);
    fmt::format_to(out(), ">{}</text>\n", xml_escape(content));
  }
  void path(std::string_view points, std::string_view attributes) {
    fmt::format_to(out(), "<path d=\"{}\" {}/>\n", points, attributes);
  }
  void raw(std::string_view xml) { svg_ += xml; }
  std::string take() { return std::move(svg_); }

 private:
  std::back_insert_iterator<std::string> out() { return std::back_inserter(svg_); }
  std::string svg_;
};

/// The width of a text in pixels at a font size, estimated on the safe side for sans-serif fonts.
inline double text_width(std::string_view text, double size) {
  return 0.58 * size * static_cast<double>(display_width(text));
}
/// The text cut so that it is estimated to fit.
inline std::string cut_to_pixels(std::string_view text, double pixels, double size) {
  return cut_to(text, static_cast<std::size_t>(std::max(1.0, pixels / (0.58 * size))));
}

}  // namespace polyad
