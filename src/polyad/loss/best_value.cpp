#include <polyad/loss/best_value.hpp>

#include <polyad/base/math.hpp>

#include <boost/math/tools/minima.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

namespace polyad {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int precision_bits = 26;  // of the place; the value is then exact to rounding
constexpr double log_reach = 46;    // m from 1e-20 to 1e20
constexpr double plain_reach = 1e15;
constexpr double linear_enough = 1e-9;  // of df/dm, where x was found as if it were linear in x

/// The m that minimises phi, which falls towards one place and rises beyond it.
template <class Phi>
double lowest_place(bool positive, double start, Phi phi) {
  const double reach = positive ? log_reach : plain_reach;
  const auto m_of = [&](double u) { return positive ? math::exp(u) : u; };
  const auto at = [&](double u) {
    const double value = phi(m_of(u));
    return std::isnan(value) ? infinity : value;
  };
  double middle = positive ? math::log(std::clamp(start, 1e-18, 1e18)) : std::clamp(start, -1e12, 1e12);
  double here = at(middle);
  // Where m is a logarithm, a large value of the data is far beyond what can be computed.
  for (int i = 0; i < 60 && !positive && std::isinf(here); ++i) here = at(middle *= 0.5);
  double step = positive ? 0.5 : std::max(1e-3, 0.1 * std::abs(middle));
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

// Where a value stands in a table of 2^bits slots.
std::size_t slot_of(double x, unsigned bits) {
  std::uint64_t word = 0;
  std::memcpy(&word, &x, sizeof word);
  return static_cast<std::size_t>((word * 0x9e3779b97f4a7c15ULL) >> (64 - bits));
}

constexpr unsigned weight_bits = 16;
constexpr unsigned known_bits = 13;
constexpr std::size_t block = 256;

}  // namespace

ValueWeights::ValueWeights() : slots_(std::size_t{1} << weight_bits) {}

void ValueWeights::add(double x, double weight) {
  Slot& slot = slots_[slot_of(x, weight_bits)];
  if (slot.used && slot.x != x) {
    others_.emplace_back(x, weight);
    return;
  }
  slot.used = true;
  slot.x = x;
  slot.weight += weight;
}

void ValueWeights::collect(std::vector<double>& values, std::vector<double>& weights) const {
  for (const Slot& slot : slots_) {
    if (!slot.used) continue;
    values.push_back(slot.x);
    weights.push_back(slot.weight);
  }
  for (const auto& [x, weight] : others_) {
    values.push_back(x);
    weights.push_back(weight);
  }
}

double best_constant(const Loss& loss, std::span<const double> values, std::span<const double> weights) {
  double sum = 0, total = 0;
  for (std::size_t t = 0; t < values.size(); ++t) {
    sum += values[t] * weights[t];
    total += weights[t];
  }
  return lowest_place(loss.info().lower == 0, total > 0 ? loss.data_scale() * (sum / total) : 0, [&](double constant) {
    std::array<double, block> m;
    std::array<double, block> f;
    m.fill(constant);
    double objective = 0;
    for (std::size_t first = 0; first < values.size(); first += block) {
      const std::size_t count = std::min(block, values.size() - first);
      loss.values(count, values.data() + first, m.data(), f.data());
      double part = 0;
      for (std::size_t t = 0; t < count; ++t) part += weights[first + t] * f[t];
      objective += part;
    }
    return objective;
  });
}

double best_constant(const Loss& loss, const ValueWeights& values) {
  std::vector<double> x, w;
  values.collect(x, w);
  return best_constant(loss, x, w);
}

double best_constant(const Loss& loss, const std::map<double, double>& values) {
  std::vector<double> x, w;
  for (const auto& [value, weight] : values) {
    x.push_back(value);
    w.push_back(weight);
  }
  return best_constant(loss, x, w);
}

LeastLoss::LeastLoss(const Loss& loss) : loss_(loss), known_(std::size_t{1} << known_bits), ratio_(loss.data_scale()) {}

double LeastLoss::operator()(double x) {
  Known& known = known_[slot_of(x, known_bits)];
  if (known.used && known.x == x) return known.least;
  const auto value_at = [&](double m) { return loss_.value(x, m); };
  const double m = lowest_place(loss_.info().lower == 0, loss_.data_scale() * x, value_at);
  double least = value_at(m);
  if (loss_.info().lower == 0) least = std::min(least, value_at(0));
  if (x != 0 && std::isfinite(m / x) && m / x > 0) ratio_ = m / x;
  known = {x, least, true};
  return least;
}

void LeastLoss::values(std::size_t n, const double* x, double* out) {
  // The loss falls towards one place and rises beyond it: what is lowest among three near neighbours is within their
  // distance of the minimum, where the loss is flat: its value is right to the square of that distance.
  constexpr double apart = 1e-6;
  std::array<double, block> m;
  std::array<double, block> below;
  std::array<double, block> above;
  for (std::size_t first = 0; first < n; first += block) {
    const std::size_t count = std::min(block, n - first);
    const double* const at = x + first;
    double* const least = out + first;
    for (std::size_t t = 0; t < count; ++t) m[t] = ratio_ * at[t] * (1 - apart);
    loss_.values(count, at, m.data(), below.data());
    for (std::size_t t = 0; t < count; ++t) m[t] = ratio_ * at[t] * (1 + apart);
    loss_.values(count, at, m.data(), above.data());
    for (std::size_t t = 0; t < count; ++t) m[t] = ratio_ * at[t];
    loss_.values(count, at, m.data(), least);
    for (std::size_t t = 0; t < count; ++t) {
      if (at[t] != 0 && std::isfinite(least[t]) && least[t] <= below[t] && least[t] <= above[t]) continue;
      least[t] = (*this)(at[t]);
    }
  }
}

namespace {

// Losses of a rate or odds m add a small number to it, so that logarithms stay finite. A model of 0 expects 0 and not that number,
// which summed over 10^14 cells would be thousands.
double floor_of(const Loss& loss) {
  if (loss.info().lower != 0) return 0;
  const double at_zero = loss.derivative(0, 0), at_one = loss.derivative(1, 0);
  const double expected = at_zero / (at_zero - at_one);
  return expected > 0 && expected <= 1e-6 ? expected : 0;
}

double best_x(const Loss& loss, double m) {
  const double at_zero = loss.derivative(0, m), at_one = loss.derivative(1, m);
  const double linear = at_zero / (at_zero - at_one);
  const double scale = std::abs(at_zero) + std::abs(at_zero - at_one) * (1 + std::abs(linear));
  if (std::isfinite(linear) && std::abs(loss.derivative(linear, m)) <= linear_enough * scale) return linear;
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

}  // namespace

double expected_value(const Loss& loss, double m) {
  const double floor = floor_of(loss);
  return floor > 0 ? std::max(best_x(loss, m), floor) - floor : best_x(loss, m);
}

void expected_values(const Loss& loss, std::size_t n, const double* m, double* out) {
  std::array<double, block> x;
  std::array<double, block> at_zero;
  std::array<double, block> at_one;
  std::array<double, block> slope;
  double ratio = 1;
  for (std::size_t first = 0; first < n; first += block) {
    const std::size_t count = std::min(block, n - first);
    const double* const here = m + first;
    x.fill(0);
    loss.derivatives(count, x.data(), here, at_zero.data());
    x.fill(1);
    loss.derivatives(count, x.data(), here, at_one.data());
    for (std::size_t t = 0; t < count; ++t) x[t] = at_zero[t] / (at_zero[t] - at_one[t]);
    loss.derivatives(count, x.data(), here, slope.data());
    for (std::size_t t = 0; t < count; ++t) {
      const double scale = std::abs(at_zero[t]) + std::abs(at_zero[t] - at_one[t]) * (1 + std::abs(x[t]));
      const bool linear = std::isfinite(x[t]) && std::abs(slope[t]) <= linear_enough * scale;
      if (linear) {
        out[first + t] = x[t];
        continue;
      }
      // Most other losses have x in proportion to m (rayleigh, huber).
      const double proportional = ratio * here[t];
      const bool near = std::abs(loss.derivative(proportional, here[t])) <= linear_enough * scale;
      out[first + t] = near ? proportional : best_x(loss, here[t]);
      if (!near && here[t] != 0) ratio = out[first + t] / here[t];
    }
  }
  const double floor = floor_of(loss);
  for (std::size_t t = 0; t < n && floor > 0; ++t) out[t] = std::max(out[t], floor) - floor;
}

}  // namespace polyad
