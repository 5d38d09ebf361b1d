#include <polyad/loss/tails.hpp>

#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace polyad {

namespace {

namespace bm = boost::math;
using TailPolicy = bm::policies::policy<bm::policies::domain_error<bm::policies::errno_on_error>,
                                        bm::policies::overflow_error<bm::policies::errno_on_error>,
                                        bm::policies::evaluation_error<bm::policies::errno_on_error>,
                                        bm::policies::promote_double<false>>;

constexpr double log_2 = std::numbers::ln2;
constexpr double tiny = 1e-290;        // below this a probability comes from its logarithm
constexpr double widest_summed = 400;  // standard deviation up to which tails are summed
constexpr double most_spread = 100;    // variance / mean up to which they are
constexpr double far_out = 30;         // standard deviations beyond which they are summed in any case
constexpr double enough = 1e-17;       // of a sum, beyond which terms are left out
constexpr std::size_t most_terms = 4'000'000;

double log_gamma(double x) {
  return bm::lgamma(x, TailPolicy());
}

double log_factorial(double x) {
  static const auto table = [] {
    std::array<double, 256> values{};
    for (std::size_t n = 2; n < values.size(); ++n) values[n] = values[n - 1] + std::log(static_cast<double>(n));
    return values;
  }();
  return x < static_cast<double>(table.size()) ? table[static_cast<std::size_t>(x)] : log_gamma(x + 1);
}

// Stirling's correction: log gamma(a) = (a - 1/2) log a - a + log(2 pi) / 2 + this.
double stirling(double a) {
  const double inverse = 1 / a, square = inverse * inverse;
  return inverse * (1.0 / 12 - square * (1.0 / 360 - square / 1260));
}

// log(gamma(a + x) / gamma(a)) - x log a for large a, without the cancellation of its two logarithms.
double log_rising_beyond(double a, double x) {
  return (a + x - 0.5) * std::log1p(x / a) - x + stirling(a + x) - stirling(a);
}

// Panjer's class.
class CountLaw {
 public:
  CountLaw(double mean, double variance) : mean_(mean) {
    const double excess = variance - mean;
    if (std::abs(excess) <= 1e-9 * mean) return;
    r_ = mean * mean / excess;  // negative: minus the trials of a binomial law
    if (r_ < 0) odds_ = (mean - variance) / variance;
    if (r_ > 0) odds_ = excess / variance;
    kind_ = r_ > 0 ? Kind::negative_binomial : Kind::binomial;
  }

  // Beyond the trials of a binomial law that only approximates a sum, poisson is the safe side.
  void widen_for(double x) {
    if (kind_ == Kind::binomial && x > -r_ - 0.5) kind_ = Kind::poisson;
  }

  /// P(k + 1) / P(k).
  double ratio(double k) const {
    switch (kind_) {
      case Kind::poisson:
        return mean_ / (k + 1);
      case Kind::negative_binomial:
        return odds_ * (k + r_) / (k + 1);
      case Kind::binomial:
        return std::max(0.0, odds_ * (-r_ - k) / (k + 1));
    }
    return 0;
  }

  double log_probability(double x) const {
    switch (kind_) {
      case Kind::poisson:
        return x * std::log(mean_) - mean_ - log_factorial(x);
      case Kind::negative_binomial: {
        const double all = -(r_ + x) * std::log1p(mean_ / r_) + x * std::log(mean_);
        if (x <= 24 && r_ < 1e6 && r_ > 1e-12) {  // a product, and one logarithm
          double product = 1;
          for (double i = 0; i < x; ++i) product *= (r_ + i) / (r_ * (i + 1));
          return all + std::log(product);
        }
        if (r_ > 1000) return all + log_rising_beyond(r_, x) - log_factorial(x);
        return all + log_gamma(r_ + x) - log_gamma(r_) - x * std::log(r_) - log_factorial(x);
      }
      case Kind::binomial: {
        const double n = -r_, p = mean_ / n, base = n - x + 1;
        const double all = x * std::log(p) + (n - x) * std::log1p(-p) - log_factorial(x);
        if (base > 1000) return all + log_rising_beyond(base, x) + x * std::log(base);
        return all + log_gamma(n + 1) - log_gamma(base);
      }
    }
    return 0;
  }

  /// P(X <= x) or P(X >= x) by incomplete functions.
  double by_boost(double x, bool upper) const {
    const double first = upper ? x : x + 1;  // P(X >= first), or what is left
    if (first <= 0) return upper ? 1 : 0;
    switch (kind_) {
      case Kind::poisson:
        return upper ? bm::gamma_p(first, mean_, TailPolicy()) : bm::gamma_q(first, mean_, TailPolicy());
      case Kind::negative_binomial:
        return upper ? bm::ibeta(first, r_, odds_, TailPolicy()) : bm::ibetac(first, r_, odds_, TailPolicy());
      case Kind::binomial: {
        const double n = -r_, p = mean_ / n;
        if (first > n) return upper ? 0 : 1;
        return upper ? bm::ibeta(first, n - first + 1, p, TailPolicy())
                     : bm::ibetac(first, n - first + 1, p, TailPolicy());
      }
    }
    return 0;
  }

  /// (P(X beyond x) + share P(x)) / P(x).
  double sum_of_ratios(double x, bool upper, double share) const {
    double sum = share, term = 1;
    if (upper) {
      for (std::size_t i = 0; i < most_terms; ++i, ++x) {
        term *= ratio(x);
        sum += term;
        if (term <= enough * sum) break;
      }
    } else {
      for (; x > 0; --x) {
        term /= ratio(x - 1);
        sum += term;
        if (term <= enough * sum) break;
      }
    }
    return sum;
  }

 private:
  enum class Kind { poisson, negative_binomial, binomial };
  Kind kind_ = Kind::poisson;
  double mean_;
  double r_ = 0;
  double odds_ = 0;  // the factor of `ratio`; of a negative binomial also its probability
};

// From the logarithm of one tail (that on the side of x), which may still be the larger one.
Tail two_sided(double log_tail, int side) {
  const double log_p = log_tail + log_2;
  if (log_p <= 0) return {log_p, side};
  return {std::min(0.0, log_2 + std::log(std::max(0.5 * enough, -std::expm1(log_tail)))), -side};
}

bool summed(double mean, double variance, double x) {
  const double deviation = std::sqrt(variance);
  if (std::abs(x - mean) > far_out * deviation) return variance <= 1e12;
  return deviation <= widest_summed && variance <= most_spread * mean;
}

}  // namespace

Tail count_tail(double mean, double variance, double x) {
  const bool upper = x > mean;
  CountLaw law(mean, variance);
  law.widen_for(x);
  const int side = upper ? 1 : -1;
  if (!summed(mean, variance, x)) {
    const double whole = law.by_boost(x, upper), own = std::exp(law.log_probability(x));
    if (whole > tiny) return two_sided(std::log(std::max(whole - own / 2, tiny)), side);
  }
  return two_sided(law.log_probability(x) + std::log(law.sum_of_ratios(x, upper, 0.5)), side);
}

Tail truncated_count_tail(double rate, double x) {
  if (rate < 1e-12) return x <= 1 ? Tail{0, 0} : Tail{std::log(std::max(rate, 1e-300)) * (x - 1), 1};
  const double log_all = std::log(-std::expm1(-rate));  // P(X >= 1)
  const double mean = rate / -std::expm1(-rate);
  const CountLaw law(rate, rate);
  if (x > mean) {
    if (!summed(rate, rate, x)) {
      const double whole = law.by_boost(x, true), own = std::exp(law.log_probability(x));
      if (whole > tiny) return two_sided(std::log(whole - own / 2) - log_all, 1);
    }
    return two_sided(law.log_probability(x) + std::log(law.sum_of_ratios(x, true, 0.5)) - log_all, 1);
  }
  // Below: what lies from 1 to x. Without the term of 0, which is the last one of the sum.
  double sum = 0.5, term = 1;
  for (double k = x; k > 1; --k) {
    term *= k / rate;
    sum += term;
    if (term <= enough * sum) break;
  }
  return two_sided(law.log_probability(x) + std::log(sum) - log_all, -1);
}

Tail normal_tail(double z) {
  const double size = std::abs(z);
  const int side = z > 0 ? 1 : z < 0 ? -1 : 0;
  if (size < 37) return {std::min(0.0, std::log(std::erfc(size / std::numbers::sqrt2))), side};
  const double inverse = 1 / (size * size);
  const double series = 1 - inverse * (1 - 3 * inverse * (1 - 5 * inverse));
  return {log_2 - size * size / 2 - std::log(size) - 0.5 * std::log(2 * std::numbers::pi) + std::log(series), side};
}

Tail gamma_tail(double mean, double shape, double x) {
  if (!(x > 0)) return {std::log(std::numeric_limits<double>::min()), -1};
  const double y = shape * (x / mean);
  const bool upper = y > shape;
  const double tail = upper ? bm::gamma_q(shape, y, TailPolicy()) : bm::gamma_p(shape, y, TailPolicy());
  const int side = upper ? 1 : -1;
  if (tail > tiny) return two_sided(std::log(tail), side);
  const double log_first = shape * std::log(y) - y - log_gamma(shape);
  if (upper) {  // the continued fraction, by its first terms backwards: y is far beyond the shape
    double fraction = 0;
    for (int n = 60; n >= 1; --n) fraction = n * (n - shape) / (y + 2 * n + 1 - shape - fraction);
    return two_sided(log_first - std::log(y + 1 - shape - fraction), 1);
  }
  double sum = 1 / shape, term = sum;
  for (double n = 1; term > enough * sum; ++n) sum += term *= y / (shape + n);
  return two_sided(log_first + std::log(sum), -1);
}

Tail rayleigh_tail(double mean, double x) {
  const double sigma = std::max(mean, 1e-300) * std::sqrt(2 / std::numbers::pi);
  const double log_upper = -0.5 * (x / sigma) * (x / sigma);
  if (log_upper < -log_2) return two_sided(log_upper, 1);
  return two_sided(std::log(std::max(-std::expm1(log_upper), std::numeric_limits<double>::min())), -1);
}

std::pair<double, double> count_interval(double mean, double variance, double level) {
  const double outside = (1 - level) / 2;
  CountLaw law(mean, variance);
  // The smallest x with P(X <= x) >= share, by halving.
  const auto quantile = [&](double share) {
    double low = -1, high = std::ceil(mean + 1);
    while (law.by_boost(high, false) < share && high < 1e18) high *= 2;
    while (high - low > 1) {
      const double middle = std::floor((low + high) / 2);
      (law.by_boost(middle, false) < share ? low : high) = middle;
    }
    return high;
  };
  return {quantile(outside), quantile(1 - outside)};
}

}  // namespace polyad
