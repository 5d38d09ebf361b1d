#include <polyad/base/error.hpp>
#include <polyad/evaluate.hpp>
#include <polyad/tensor/tensor.hpp>

#include <algorithm>
#include <cmath>

namespace polyad {

namespace {

// Whole numbers up to here get a bar each.
constexpr double most_single_values = 9;
constexpr std::size_t equal_bars = 10;

// Calls visit(value) for every stored observed value.
template <class Visit>
void each_value(const Tensor& tensor, Visit&& visit) {
  if (const DenseTensor* dense = tensor.dense()) {
    for (const double x : dense->values()) {
      if (!std::isnan(x)) visit(x);
    }
  } else {
    const Records& records = tensor.sparse()->records();
    for (std::size_t i = 0; i < records.size(); ++i) visit(records.value(i));
  }
}

// Bars between increasing bounds; a bar holds its lower bound.
std::vector<HistogramBar> count_between(const Tensor& tensor, const std::vector<double>& bounds) {
  std::vector<HistogramBar> bars(bounds.size() - 1);
  each_value(tensor, [&](double x) {
    const auto above = std::upper_bound(bounds.begin(), bounds.end(), x) - bounds.begin();
    const auto bar = std::clamp<std::ptrdiff_t>(above - 1, 0, static_cast<std::ptrdiff_t>(bars.size()) - 1);
    bars[static_cast<std::size_t>(bar)].count += 1;
  });
  return bars;
}

std::vector<HistogramBar> by_tens(const Tensor& tensor, const ValueFacts& facts) {
  // Zeros separately; below the smallest power of ten that matters, one bar.
  double least = facts.greatest;
  each_value(tensor, [&](double x) {
    if (x > 0) least = std::min(least, x);
  });
  const int last = static_cast<int>(std::floor(std::log10(facts.greatest)));
  const int first = std::max(static_cast<int>(std::floor(std::log10(least))), last - 9);
  std::vector<double> bounds = {0};
  if (facts.whole && first == 0) {
    for (double v = 1; v <= most_single_values; ++v) bounds.push_back(v);
  }
  for (int power = facts.whole ? std::max(first, 1) : first; power <= last + 1; ++power) {
    bounds.push_back(std::pow(10.0, power));
  }
  double zeros = 0;
  each_value(tensor, [&](double x) { zeros += x == 0 ? 1 : 0; });
  std::vector<HistogramBar> bars = count_between(tensor, bounds);
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const bool single = facts.whole && bounds[i + 1] - bounds[i] == 1;
    bars[i].label = single ? fmt::format("{}", bounds[i])
                           : fmt::format("{:.6g} to {:.6g}", bounds[i], bounds[i + 1] - (facts.whole ? 1 : 0));
  }
  if (!facts.whole) {
    bars[0].count -= zeros;
    bars[0].label = fmt::format("below {:.6g}", bounds[1]);
    bars.insert(bars.begin(), {"0", zeros});
  }
  return bars;
}

std::vector<HistogramBar> equally_wide(const Tensor& tensor, const ValueFacts& facts) {
  std::vector<double> bounds;
  for (std::size_t i = 0; i <= equal_bars; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(equal_bars);
    bounds.push_back(facts.least * (1 - share) + facts.greatest * share);
  }
  std::vector<HistogramBar> bars = count_between(tensor, bounds);
  for (std::size_t i = 0; i < bars.size(); ++i) {
    bars[i].label = fmt::format("{:.4g} to {:.4g}", bounds[i], bounds[i + 1]);
  }
  return bars;
}

}  // namespace

std::vector<HistogramBar> value_histogram(const Tensor& tensor, const ValueFacts& facts) {
  if (!(facts.observed > 0)) return {};
  if (facts.least == facts.greatest) return {{fmt::format("{}", facts.least), facts.observed}};
  std::vector<HistogramBar> bars = facts.negatives > 0 ? equally_wide(tensor, facts) : by_tens(tensor, facts);
  if (tensor.is_sparse() && tensor.sparse()->zeros() > 0) {
    // The first bar that reaches zero has the implicit ones.
    for (std::size_t i = 0; i < bars.size(); ++i) {
      const bool holds_zero =
          facts.negatives == 0
              ? i == 0
              : facts.least + (facts.greatest - facts.least) * static_cast<double>(i + 1) / equal_bars > 0;
      if (!holds_zero) continue;
      bars[i].count += tensor.sparse()->zeros();
      break;
    }
  }
  std::erase_if(bars, [](const HistogramBar& bar) { return bar.count == 0; });
  return bars;
}

}  // namespace polyad
