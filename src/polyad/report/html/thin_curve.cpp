#include <polyad/report/html/thin_curve.hpp>

#include <algorithm>
#include <numeric>

namespace polyad {

std::vector<std::size_t> thinned(std::span<const double> column, std::size_t stretches) {
  stretches = std::max<std::size_t>(1, stretches);
  std::vector<std::size_t> points;
  if (column.size() <= 2 * stretches) {
    points.resize(column.size());
    std::iota(points.begin(), points.end(), std::size_t{0});
    return points;
  }
  for (std::size_t s = 0; s < stretches; ++s) {
    const auto first = column.begin() + static_cast<std::ptrdiff_t>(s * column.size() / stretches);
    const auto last = column.begin() + static_cast<std::ptrdiff_t>((s + 1) * column.size() / stretches);
    const auto [low, high] = std::minmax_element(first, last);
    const auto a = static_cast<std::size_t>(low - column.begin()), b = static_cast<std::size_t>(high - column.begin());
    points.push_back(std::min(a, b));
    if (a != b) points.push_back(std::max(a, b));
  }
  return points;
}

}  // namespace polyad
