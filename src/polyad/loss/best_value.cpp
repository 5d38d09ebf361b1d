#include <polyad/loss/best_value.hpp>

#include <boost/math/tools/minima.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace polyad {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int precision_bits = 26;  // of the place; the value is then exact to rounding
constexpr double log_reach = 46;    // m from 1e-20 to 1e20
constexpr double plain_reach = 1e15;

/// The m that minimises phi, which falls towards one place and rises beyond it.
template <class Phi>
double lowest_place(bool positive, double start, Phi phi) {
  const double reach = positive ? log_reach : plain_reach;
  const auto m_of = [&](double u) { return positive ? std::exp(u) : u; };
  const auto at = [&](double u) {
    const double value = phi(m_of(u));
    return std::isnan(value) ? infinity : value;
  };
  double middle = positive ? std::log(std::clamp(start, 1e-18, 1e18)) : std::clamp(start, -1e12, 1e12);
  double step = positive ? 0.5 : std::max(1e-3, 0.1 * std::abs(middle));
  double here = at(middle);
  // Downhill in growing steps until the next one does not fall: then the minimum lies between the last and the next.
  const double side = at(middle + step) < here ? 1 : -1;
  double before = middle - side * step;
  for (;;) {
    const double next = std::clamp(middle + side * step, -reach, reach);
    const double value = at(next);
    if (!(value < here)) {
      const auto [low, high] = std::minmax(before, next);
      const double best = boost::math::tools::brent_find_minima(at, low, high, precision_bits).first;
      return at(best) <= here ? m_of(best) : m_of(middle);
    }
    before = middle;
    middle = next;
    here = value;
    step *= 2;
  }
}

}  // namespace

double best_constant(const Loss& loss, const std::map<double, double>& values) {
  std::vector<double> x, w, m, f;
  double sum = 0, total = 0;
  for (const auto& [value, weight] : values) {
    x.push_back(value);
    w.push_back(weight);
    sum += value * weight;
    total += weight;
  }
  m.resize(x.size());
  f.resize(x.size());
  return lowest_place(loss.info().lower == 0, total > 0 ? loss.data_scale() * (sum / total) : 0, [&](double constant) {
    std::fill(m.begin(), m.end(), constant);
    loss.values(x.size(), x.data(), m.data(), f.data());
    double objective = 0;
    for (std::size_t t = 0; t < x.size(); ++t) objective += w[t] * f[t];
    return objective;
  });
}

double LeastLoss::operator()(double x) {
  const auto found = known_.find(x);
  if (found != known_.end()) return found->second;
  const auto value_at = [&](double m) { return loss_.value(x, m); };
  const double m = lowest_place(loss_.info().lower == 0, loss_.data_scale() * x, value_at);
  double least = value_at(m);
  if (loss_.info().lower == 0) least = std::min(least, value_at(0));
  known_.emplace(x, least);
  return least;
}

double expected_value(const Loss& loss, double m) {
  const double at_zero = loss.derivative(0, m), at_one = loss.derivative(1, m);
  const double linear = at_zero / (at_zero - at_one);
  const double scale = std::abs(at_zero) + std::abs(at_zero - at_one) * (1 + std::abs(linear));
  if (std::isfinite(linear) && std::abs(loss.derivative(linear, m)) <= 1e-9 * scale) return linear;
  // The derivative falls in x: bracket its sign change about m and halve.
  double low = m, high = m, step = std::max(1e-6, 0.5 * std::abs(m));
  for (int i = 0; i < 200 && !(loss.derivative(low, m) >= 0); ++i, step *= 2) low -= step;
  step = std::max(1e-6, 0.5 * std::abs(m));
  for (int i = 0; i < 200 && !(loss.derivative(high, m) <= 0); ++i, step *= 2) high += step;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (loss.derivative(middle, m) > 0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace polyad
