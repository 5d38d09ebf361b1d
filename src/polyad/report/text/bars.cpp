#include <polyad/report/text/text.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace polyad {

namespace {

constexpr std::array<std::string_view, 8> left_eighths = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
constexpr std::array<std::string_view, 8> levels = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr std::string_view ascii_levels = "_.:-=+*#";

}  // namespace

std::string text_bar(double part, std::size_t columns, bool ascii) {
  if (columns == 0) return {};
  part = std::clamp(part, 0.0, 1.0);
  const std::size_t unit = ascii ? 1 : 8;
  auto filled = static_cast<std::size_t>(std::lround(part * static_cast<double>(columns * unit)));
  if (part > 0) filled = std::max<std::size_t>(1, filled);
  std::string bar;
  for (std::size_t i = 0; i < filled / unit; ++i) bar += ascii ? "#" : "█";
  bar += ascii ? "" : left_eighths[filled % unit];
  const std::size_t used = (filled + unit - 1) / unit;
  return bar.append(columns - used, ' ');
}

std::string sparkline(const std::vector<double>& values, std::size_t columns, bool ascii) {
  if (values.empty() || columns == 0) return {};
  const std::size_t stretches = std::min(columns, values.size());
  std::vector<double> peaks(stretches);
  for (std::size_t s = 0; s < stretches; ++s) {
    const std::size_t begin = s * values.size() / stretches, end = (s + 1) * values.size() / stretches;
    for (std::size_t i = begin; i < end; ++i) {
      if (std::abs(values[i]) > std::abs(peaks[s])) peaks[s] = values[i];
    }
  }
  const double low = std::min(0.0, *std::min_element(peaks.begin(), peaks.end()));
  const double high = std::max(low, *std::max_element(peaks.begin(), peaks.end()));
  std::string line;
  for (const double v : peaks) {
    const double part = high > low ? (v - low) / (high - low) : 0;
    const auto level = std::min<std::size_t>(7, static_cast<std::size_t>(part * 8));
    if (ascii) {
      line.push_back(ascii_levels[level]);
    } else {
      line += levels[level];
    }
  }
  return line;
}

}  // namespace polyad
