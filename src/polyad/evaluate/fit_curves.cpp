#include <polyad/evaluate/judged_cells.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace polyad {

namespace {

constexpr std::size_t most_roc_points = 150;
constexpr std::uint64_t most_counts = 30;
constexpr std::size_t enough_zeros = 5;
constexpr double same = 1 + 1e-9;  // of what is expected

std::vector<std::size_t> order_by(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  return order;
}

/// The rate of the Poisson law that, without its zeros, has this mean (above 1): mean = rate / (1 - e^-rate).
double untruncated_rate(double mean) {
  // The function is convex and rises; Newton's steps from the right of its root stay there.
  double rate = std::max(1e-9, mean < 2 ? 2 * (mean - 1) : mean);
  for (int i = 0; i < 30; ++i) {
    const double kept = -std::expm1(-rate);
    const double slope = (kept - rate * std::exp(-rate)) / (kept * kept);
    if (!(slope > 1e-6)) break;
    rate = std::max(1e-9, rate - (rate / kept - mean) / slope);
  }
  return rate;
}

}  // namespace

std::vector<CalibrationBin> calibration_bins(const Batch& batch, const std::vector<double>& expected, std::size_t bins,
                                             bool some_zeros) {
  const std::vector<std::size_t> order = order_by(expected);
  std::vector<CalibrationBin> out;
  bins = std::min(bins, order.size());
  std::size_t end = 0;
  for (std::size_t b = 0; b < bins; ++b) {
    const std::size_t begin = end;
    end = std::max(begin, (b + 1) * order.size() / bins);
    // Cells of the same expectation stay together: in any other order than by chance a bin would be all zeros, or have none.
    while (end > begin && end < order.size() && expected[order[end]] <= same * expected[order[end - 1]]) ++end;
    double weight = 0, of_x = 0, of_expected = 0, spread = 0;
    std::size_t zeros = 0;
    for (std::size_t n = begin; n < end; ++n) {
      const std::size_t t = order[n];
      weight += batch.w[t];
      of_x += batch.w[t] * batch.x[t];
      of_expected += batch.w[t] * expected[t];
      zeros += t >= batch.zeros_from ? 1 : 0;
    }
    if (!(weight > 0)) continue;
    const double observed = some_zeros && zeros < enough_zeros ? std::nan("") : of_x / weight;
    for (std::size_t n = begin; n < end; ++n) {
      const double off = batch.w[order[n]] * (batch.x[order[n]] - observed);
      spread += off * off;
    }
    out.push_back({of_expected / weight, observed, std::sqrt(spread) / weight, end - begin});
  }
  return out;
}

std::optional<Roc> roc_curve(const Batch& batch, const std::vector<double>& scores) {
  double yes = 0, no = 0;
  for (std::size_t t = 0; t < batch.size(); ++t) (batch.x[t] > 0 ? yes : no) += batch.w[t];
  if (!(yes > 0) || !(no > 0)) return {};
  const std::vector<std::size_t> order = order_by(scores);
  Roc roc;
  std::vector<Roc::Point> all = {{0, 0}};
  double seen_yes = 0, seen_no = 0;
  for (std::size_t n = order.size(); n-- > 0;) {
    const std::size_t t = order[n];
    (batch.x[t] > 0 ? seen_yes : seen_no) += batch.w[t];
    if (n > 0 && scores[order[n - 1]] == scores[t]) continue;
    const Roc::Point point{seen_no / no, seen_yes / yes};
    roc.auc += (point.false_rate - all.back().false_rate) * 0.5 * (point.true_rate + all.back().true_rate);
    all.push_back(point);
  }
  // Points at about equal distances along the curve show all of it.
  for (std::size_t n = 0; n < all.size(); ++n) {
    const auto far = [&](const Roc::Point& p) {
      return all[n].false_rate - p.false_rate + all[n].true_rate - p.true_rate >= 2.0 / most_roc_points;
    };
    if (n == 0 || n + 1 == all.size() || far(roc.points.back())) roc.points.push_back(all[n]);
  }
  return roc;
}

void CountLaw::probabilities(double mean, std::vector<double>& p) const {
  if (p.empty()) return;
  switch (kind) {
    case Kind::poisson:
      p[0] = std::exp(-mean);
      for (std::size_t k = 1; k < p.size(); ++k) p[k] = p[k - 1] * mean / static_cast<double>(k);
      return;
    case Kind::negative_binomial: {
      const double odds = mean / size, success = odds / (1 + odds);
      p[0] = std::exp(-size * std::log1p(odds));
      for (std::size_t k = 1; k < p.size(); ++k) {
        p[k] = p[k - 1] * success * (size + static_cast<double>(k) - 1) / static_cast<double>(k);
      }
      return;
    }
    case Kind::zero_truncated_poisson: {
      const double rate = untruncated_rate(mean);
      p[0] = 0;
      double each = rate * std::exp(-rate) / -std::expm1(-rate);
      for (std::size_t k = 1; k < p.size(); ++k) {
        p[k] = each;
        each *= rate / static_cast<double>(k + 1);
      }
      return;
    }
  }
}

double CountLaw::variance(double mean) const {
  switch (kind) {
    case Kind::poisson:
      return mean;
    case Kind::negative_binomial:
      return mean * (1 + mean / size);
    case Kind::zero_truncated_poisson:
      return std::max(0.0, mean * (1 + untruncated_rate(mean) - mean));
  }
  return mean;
}

std::optional<CountLaw> count_law(const Loss& loss) {
  using Kind = CountLaw::Kind;
  const Law law = loss.info().law;
  if (law == Law::poisson) return CountLaw{Kind::poisson, 0};
  if (law == Law::zero_truncated_poisson) return CountLaw{Kind::zero_truncated_poisson, 0};
  if (law != Law::negative_binomial) return {};
  for (const auto& [name, value] : loss.parameters()) {
    if (name == "r") return CountLaw{Kind::negative_binomial, value};
  }
  return {};
}

std::vector<CountBin> rootogram(const Batch& batch, const std::vector<double>& expected, const CountLaw& law) {
  double most = 0;
  for (const double x : batch.x) most = std::max(most, x);
  const auto counts = static_cast<std::size_t>(std::min<double>(most, most_counts)) + 1;
  std::vector<CountBin> bins(counts);
  for (std::size_t k = 0; k < counts; ++k) bins[k].count = k;
  std::vector<double> p(counts);
  for (std::size_t t = 0; t < batch.size(); ++t) {
    if (batch.x[t] < static_cast<double>(counts)) bins[static_cast<std::size_t>(batch.x[t])].observed += batch.w[t];
    law.probabilities(expected[t], p);
    for (std::size_t k = 0; k < counts; ++k) bins[k].expected += batch.w[t] * p[k];
  }
  if (law.kind == CountLaw::Kind::zero_truncated_poisson) bins.erase(bins.begin());
  return bins;
}

double dispersion(const Batch& batch, const std::vector<double>& expected, const CountLaw& law) {
  double squares = 0, variances = 0;
  for (std::size_t t = 0; t < batch.size(); ++t) {
    const double off = batch.x[t] - expected[t];
    squares += batch.w[t] * off * off;
    variances += batch.w[t] * law.variance(expected[t]);
  }
  return squares / variances;
}

}  // namespace polyad
