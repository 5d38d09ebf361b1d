#pragma once
// Is a sampler unbiased? Means over many draws against exact numbers, component by component, as z-scores.

#include <polyad/sample/sampler.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

namespace polyad::test {

/// Numbers computed from one batch, whose expectations are known.
using Statistic = std::function<std::vector<double>(const Batch&)>;

/// How many draws tell bias from chance. Under a sanitizer, some twenty times slower, bias is not what is looked for.
constexpr std::size_t affordable_draws(std::size_t draws) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return draws / 8;
#else
  return draws;
#endif
}

/// The largest |z| over the components. A component that never varies must equal its exact value up to
/// rounding: otherwise its z is infinite.
inline double largest_z(const Sampler& sampler, const RandomStream& stream, std::size_t draws,
                        const Statistic& statistic, const std::vector<double>& exact) {
  const std::size_t n = exact.size();
  std::vector<double> mean(n), squares(n);
  Batch batch;
  for (std::size_t t = 0; t < draws; ++t) {
    sampler.draw(stream, t, batch);
    const std::vector<double> value = statistic(batch);
    for (std::size_t i = 0; i < n; ++i) {
      const double change = value[i] - mean[i];
      mean[i] += change / static_cast<double>(t + 1);
      squares[i] += change * (value[i] - mean[i]);
    }
  }
  double largest = 0;
  const double count = static_cast<double>(draws);
  for (std::size_t i = 0; i < n; ++i) {
    const double error = std::abs(mean[i] - exact[i]);
    const double rounding = 1e-9 * (1 + std::abs(exact[i]));
    if (error <= rounding) continue;
    const double deviation = std::sqrt(squares[i] / (count - 1) / count);
    largest = std::max(largest, deviation > 0 ? error / deviation : std::numeric_limits<double>::infinity());
  }
  return largest;
}

/// All suites together make fewer than 2e5 comparisons. A normal |z| exceeds 6 with probability 2e-9: an
/// unbiased sampler is accused once in 2500 choices of the seeds, and the seeds are fixed.
inline constexpr double z_threshold = 6;

}  // namespace polyad::test
