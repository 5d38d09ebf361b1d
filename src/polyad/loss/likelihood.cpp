#include <polyad/loss/likelihood.hpp>

#include <polyad/loss/best_value.hpp>

#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/negative_binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/poisson.hpp>
#include <boost/math/distributions/rayleigh.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace polyad {

namespace {

namespace bm = boost::math;

constexpr double most_summed = 200;    // a larger mean goes to Boost, whose time does not grow with it
constexpr double least_mean = 1e-300;  // laws of mean 0 are limits

// No exception and no promotion to long double: limits are what they are.
using Policy = bm::policies::policy<bm::policies::domain_error<bm::policies::errno_on_error>,
                                    bm::policies::overflow_error<bm::policies::errno_on_error>,
                                    bm::policies::evaluation_error<bm::policies::errno_on_error>,
                                    bm::policies::promote_double<false>,
                                    bm::policies::discrete_quantile<bm::policies::integer_round_up>>;
using Normal = bm::normal_distribution<double, Policy>;
using Poisson_ = bm::poisson_distribution<double, Policy>;
using Negative = bm::negative_binomial_distribution<double, Policy>;
using Gamma_ = bm::gamma_distribution<double, Policy>;
using Rayleigh_ = bm::rayleigh_distribution<double, Policy>;

bool is_count(Law law) {
  return law == Law::poisson || law == Law::negative_binomial || law == Law::zero_truncated_poisson;
}

// Calls visit(x, probability) for counts upwards until it says stop.
template <class Visit>
void for_counts(Law law, double mean, double r, const Visit& visit) {
  const bool truncated = law == Law::zero_truncated_poisson;
  const double m = truncated ? untruncated_rate(mean) : mean;
  const double odds = law == Law::negative_binomial ? mean / (r + mean) : 0;
  double p = law == Law::negative_binomial ? std::exp(-r * std::log1p(mean / r)) : std::exp(-m);
  if (truncated) p = m == 0 ? 1.0 : m * p / -std::expm1(-m);  // of x = 1
  for (double x = truncated ? 1 : 0;; ++x) {
    if (!visit(x, p)) return;
    p *= law == Law::negative_binomial ? odds * (r + x) / (x + 1) : m / (x + 1);
  }
}

double rayleigh_sigma(double mean) {
  return std::max(mean, least_mean) * std::sqrt(2 / std::numbers::pi);
}

}  // namespace

// Newton's method on a convex function.
double untruncated_rate(double mean) {
  if (!(mean > 1)) return 0;
  double m = mean > 2 ? mean : 2 * (mean - 1);
  for (int i = 0; i < 60; ++i) {
    const double q = -std::expm1(-m);
    const double next = m - (m / q - mean) / ((q - m * (1 - q)) / (q * q));
    if (!(std::abs(next - m) > 1e-15 * m)) break;
    m = std::max(next, 1e-300);
  }
  return m;
}

bool has_scale(const LossInfo& info) {
  return info.law == Law::normal || info.law == Law::gamma;
}

void mean_values(const Loss& loss, std::size_t n, const double* m, double* out) {
  if (loss.info().law == Law::rayleigh || loss.info().law == Law::normal) {
    std::copy_n(m, n, out);
  } else {
    expected_values(loss, n, m, out);
  }
}

std::optional<double> fitted_scale(const LossInfo& info, double loss_per_cell, double best_loss_per_cell) {
  const double deviance = loss_per_cell - best_loss_per_cell;
  if (!has_scale(info) || !(deviance > 0) || !std::isfinite(deviance)) return std::nullopt;
  if (info.law == Law::normal) return std::sqrt(deviance);
  // log k - digamma(k) falls from infinity to 0; about 1 / (2k) for large k. Newton's method over log k.
  double k = (3 - deviance + std::sqrt((deviance - 3) * (deviance - 3) + 24 * deviance)) / (12 * deviance);
  for (int i = 0; i < 100; ++i) {
    const double gap = std::log(k) - bm::digamma(k) - deviance;
    const double step = gap / (1 - k * bm::trigamma(k));
    k *= std::exp(std::clamp(-step, -2.0, 2.0));
    if (std::abs(step) < 1e-13) break;
  }
  return std::isfinite(k) && k > 0 ? std::optional(k) : std::nullopt;
}

std::optional<Likelihood> Likelihood::of(const Loss& loss, std::optional<double> scale) {
  const LossInfo& info = loss.info();
  if (info.law == Law::none) return std::nullopt;
  if (has_scale(info)) {
    if (!scale || !(*scale > 0) || !std::isfinite(*scale)) return std::nullopt;
    return Likelihood(info.law, *scale);
  }
  // The only law with a parameter that is part of the loss: the number of failures.
  return Likelihood(info.law, loss.parameters().empty() ? 0.0 : loss.parameters().front().second);
}

bool Likelihood::discrete() const {
  return is_count(law_) || law_ == Law::bernoulli;
}

double Likelihood::probability(double mean, double x) const {
  const double m = std::max(mean, least_mean);
  switch (law_) {
    case Law::normal:
      return bm::pdf(Normal(mean, parameter_), x);
    case Law::gamma:
      return x < 0 ? 0.0 : bm::pdf(Gamma_(parameter_, m / parameter_), x);
    case Law::rayleigh:
      return x < 0 ? 0.0 : bm::pdf(Rayleigh_(rayleigh_sigma(mean)), x);
    case Law::bernoulli:
      return x == 1 ? mean : x == 0 ? 1 - mean : 0.0;
    case Law::poisson:
      return x < 0 ? 0.0 : bm::pdf(Poisson_(m), x);
    case Law::negative_binomial:
      return x < 0 ? 0.0 : bm::pdf(Negative(parameter_, parameter_ / (parameter_ + m)), x);
    case Law::zero_truncated_poisson: {
      const double rate = untruncated_rate(mean);
      if (rate == 0) return x == 1 ? 1.0 : 0.0;
      return x < 1 ? 0.0 : bm::pdf(Poisson_(rate), x) / -std::expm1(-rate);
    }
    case Law::none:
      break;
  }
  return std::nan("");
}

double Likelihood::at_most(double mean, double x) const {
  const double m = std::max(mean, least_mean);
  const double whole = std::floor(x);
  switch (law_) {
    case Law::normal:
      return bm::cdf(Normal(mean, parameter_), x);
    case Law::gamma:
      return x <= 0 ? 0.0 : bm::cdf(Gamma_(parameter_, m / parameter_), x);
    case Law::rayleigh:
      return x <= 0 ? 0.0 : bm::cdf(Rayleigh_(rayleigh_sigma(mean)), x);
    case Law::bernoulli:
      return x < 0 ? 0.0 : x < 1 ? 1 - mean : 1.0;
    case Law::poisson:
      return x < 0 ? 0.0 : bm::cdf(Poisson_(m), whole);
    case Law::negative_binomial:
      return x < 0 ? 0.0 : bm::cdf(Negative(parameter_, parameter_ / (parameter_ + m)), whole);
    case Law::zero_truncated_poisson: {
      const double rate = untruncated_rate(mean);
      if (x < 1) return 0;
      if (rate == 0) return 1;
      return 1 - bm::cdf(bm::complement(Poisson_(rate), whole)) / -std::expm1(-rate);
    }
    case Law::none:
      break;
  }
  return std::nan("");
}

double Likelihood::at_least(double mean, double x) const {
  const double m = std::max(mean, least_mean);
  const double before = std::ceil(x) - 1;  // the largest count below x
  switch (law_) {
    case Law::normal:
      return bm::cdf(bm::complement(Normal(mean, parameter_), x));
    case Law::gamma:
      return x <= 0 ? 1.0 : bm::cdf(bm::complement(Gamma_(parameter_, m / parameter_), x));
    case Law::rayleigh:
      return x <= 0 ? 1.0 : bm::cdf(bm::complement(Rayleigh_(rayleigh_sigma(mean)), x));
    case Law::bernoulli:
      return x <= 0 ? 1.0 : x <= 1 ? mean : 0.0;
    case Law::poisson:
      return before < 0 ? 1.0 : bm::cdf(bm::complement(Poisson_(m), before));
    case Law::negative_binomial:
      return before < 0 ? 1.0 : bm::cdf(bm::complement(Negative(parameter_, parameter_ / (parameter_ + m)), before));
    case Law::zero_truncated_poisson: {
      const double rate = untruncated_rate(mean);
      if (before < 1) return 1;
      if (rate == 0) return 0;
      return bm::cdf(bm::complement(Poisson_(rate), before)) / -std::expm1(-rate);
    }
    case Law::none:
      break;
  }
  return std::nan("");
}

double Likelihood::quantile(double mean, double p) const {
  const double m = std::max(mean, least_mean);
  switch (law_) {
    case Law::normal:
      return bm::quantile(Normal(mean, parameter_), p);
    case Law::gamma:
      return bm::quantile(Gamma_(parameter_, m / parameter_), p);
    case Law::rayleigh:
      return bm::quantile(Rayleigh_(rayleigh_sigma(mean)), p);
    case Law::negative_binomial:
      return bm::quantile(Negative(parameter_, parameter_ / (parameter_ + m)), p);
    default:
      return bm::quantile(Poisson_(m), p);  // beyond most_summed truncation changes nothing
  }
}

std::pair<double, double> Likelihood::interval(double mean, double level) const {
  const double tail = (1 - level) / 2;
  if (std::isnan(mean)) return {mean, mean};
  if (law_ == Law::bernoulli) return {1 - mean >= tail && mean < 1 ? 0.0 : 1.0, mean > tail ? 1.0 : 0.0};
  if (!is_count(law_) || mean > most_summed) return {quantile(mean, tail), quantile(mean, 1 - tail)};
  double low = -1, below = 0, high = 0;
  for_counts(law_, std::max(mean, 0.0), parameter_, [&](double x, double p) {
    below += p;
    if (low < 0 && below >= tail) low = x;
    high = x;
    return below < 1 - tail && (p > 0 || x < mean);
  });
  return {low, high};
}

}  // namespace polyad
