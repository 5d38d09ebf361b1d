#include <polyad/apply/surprise_law.hpp>

#include <polyad/base/error.hpp>

#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/normal.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace polyad {

namespace {

constexpr double least_mean = 1e-300;
constexpr double beyond_doubt = -13.8;  // log of 1e-6
constexpr int rounds = 3;

Likelihood likelihood_of(const Loss& loss, std::optional<double> scale) {
  if (loss.info().law == Law::none) {
    fail(ErrorKind::usage,
         "loss {} has no likelihood, so that nothing can be called improbable; fit the model with another one",
         loss.name());
  }
  const auto likelihood = Likelihood::of(loss, scale);
  if (!likelihood) fail(ErrorKind::data, "the data do not say how far they scatter about the model; give `scale`");
  return *likelihood;
}

double x_log_ratio(double x, double mean) {
  return x > 0 ? x * std::log(x / mean) : 0.0;
}

// Of a zero-truncated count, without what does not depend on the rate.
double truncated_log_likelihood(double rate, double x) {
  if (rate <= 0) return 0;  // P(1) = 1
  return x * std::log(rate) - rate - std::log(-std::expm1(-rate));
}

}  // namespace

bool has_dispersion(const LossInfo& info) {
  return info.law == Law::poisson;
}

SurpriseLaw::SurpriseLaw(const Loss& loss, std::optional<double> scale, double dispersion)
    : law_(loss.info().law), scale_(scale), dispersion_(dispersion), likelihood_(likelihood_of(loss, scale)) {
  if (law_ == Law::negative_binomial && !loss.parameters().empty()) size_ = loss.parameters().front().second;
}

double SurpriseLaw::variance(double mean) const {
  switch (law_) {
    case Law::normal:
      return *scale_ * *scale_;
    case Law::poisson:
      return dispersion_ * mean;
    case Law::negative_binomial:
      return mean + mean * mean / size_;
    case Law::bernoulli:
      return mean * (1 - mean);
    case Law::gamma:
      return mean * mean / *scale_;
    case Law::rayleigh:
      return mean * mean * (4 / std::numbers::pi - 1);
    case Law::zero_truncated_poisson:
      return mean * (1 + untruncated_rate(mean) - mean);
    case Law::none:
      break;
  }
  return 0;
}

Tail SurpriseLaw::cell(double given, double x) const {
  const double mean = law_ == Law::normal ? given : std::max(given, least_mean);
  switch (law_) {
    case Law::normal:
      return normal_tail((x - mean) / *scale_);
    case Law::poisson:
      if (x == 0) {
        const double spread = dispersion_ - 1;
        return {spread > 1e-9 ? -mean * std::log1p(spread) / spread : -mean, -1};
      }
      return count_tail(mean, dispersion_ * mean, x);
    case Law::negative_binomial:
      if (x == 0) return {-size_ * std::log1p(mean / size_), -1};
      return count_tail(mean, variance(mean), x);
    case Law::bernoulli:  // half of P(x) is the smaller tail, always
      return x > 0 ? Tail{std::log(mean), 1} : Tail{std::log(std::max(1 - mean, 1e-17)), -1};
    case Law::zero_truncated_poisson:
      return truncated_count_tail(untruncated_rate(mean), x);
    case Law::gamma:
      return gamma_tail(mean, *scale_, x);
    case Law::rayleigh:
      return rayleigh_tail(mean, x);
    case Law::none:
      break;
  }
  return {};
}

double SurpriseLaw::residual(double given, double x) const {
  const double mean = law_ == Law::normal ? given : std::max(given, least_mean);
  double deviance = 0;
  switch (law_) {
    case Law::normal:
      return (x - mean) / *scale_;
    case Law::poisson:
      deviance = 2 * (x_log_ratio(x, mean) - (x - mean)) / dispersion_;
      break;
    case Law::negative_binomial:
      deviance = 2 * (x_log_ratio(x, mean) - (x + size_) * std::log((x + size_) / (mean + size_)));
      break;
    case Law::bernoulli:
      deviance = -2 * (x > 0 ? std::log(mean) : std::log(std::max(1 - mean, 1e-17)));
      break;
    case Law::gamma:
      deviance = 2 * *scale_ * ((x - mean) / mean - std::log(std::max(x, least_mean) / mean));
      break;
    case Law::rayleigh: {
      const double y = std::numbers::pi / 4 * (x / mean) * (x / mean);
      deviance = 2 * (y - 1 - std::log(std::max(y, least_mean)));
      return std::copysign(std::sqrt(std::max(0.0, deviance)), y - 1);
    }
    case Law::zero_truncated_poisson:
      deviance = 2 * (truncated_log_likelihood(untruncated_rate(x), x) -
                      truncated_log_likelihood(untruncated_rate(std::max(mean, 1 + 1e-12)), x));
      break;
    case Law::none:
      break;
  }
  return std::copysign(std::sqrt(std::max(0.0, deviance)), x - mean);
}

std::pair<double, double> SurpriseLaw::interval(double mean, double level) const {
  if (law_ == Law::poisson && dispersion_ > 1) {
    return count_interval(std::max(mean, least_mean), dispersion_ * std::max(mean, least_mean), level);
  }
  return likelihood_.interval(mean, level);
}

Tail SurpriseLaw::total(const CellTotal& total) const {
  if (!(total.cells > 0)) return {};
  if (law_ == Law::normal) return normal_tail((total.observed - total.mean) / std::sqrt(total.variance));
  if (law_ == Law::gamma || law_ == Law::rayleigh) {
    return gamma_tail(std::max(total.mean, least_mean), total.mean * total.mean / total.variance, total.observed);
  }
  const double always = law_ == Law::zero_truncated_poisson ? total.cells : 0.0;  // of every cell at least 1
  const double mean = std::max(total.mean - always, least_mean);
  return count_tail(mean, std::max(total.variance, 1e-12 * mean), std::max(0.0, total.observed - always));
}

std::pair<double, double> SurpriseLaw::total_interval(const CellTotal& total, double level) const {
  namespace bm = boost::math;
  const double outside = (1 - level) / 2, deviation = std::sqrt(std::max(total.variance, least_mean));
  if (law_ == Law::normal) {
    const double reach = bm::quantile(bm::normal(0, 1), 1 - outside) * deviation;
    return {total.mean - reach, total.mean + reach};
  }
  if (law_ == Law::gamma || law_ == Law::rayleigh) {
    if (!(total.mean > 0)) return {0, 0};
    const double shape = total.mean * total.mean / total.variance;
    const bm::gamma_distribution<> law(shape, total.mean / shape);
    return {bm::quantile(law, outside), bm::quantile(law, 1 - outside)};
  }
  const double always = law_ == Law::zero_truncated_poisson ? total.cells : 0.0;
  const double mean = std::max(total.mean - always, least_mean);
  const auto [low, high] = count_interval(mean, std::max(total.variance, 1e-12 * mean), level);
  return {low + always, high + always};
}

double SurpriseLaw::mean_of_zero(double log_p) const {
  // p falls with the mean: bracket and halve. A bernoulli mean is at most 1.
  const double most = law_ == Law::bernoulli ? 1.0 : 1e300;
  double low = 0, high = std::min(most, 1.0);
  while (cell(high, 0).log_p > log_p && high < most) high = std::min(most, 2 * high);
  for (int i = 0; i < 80; ++i) {
    const double middle = 0.5 * (low + high);
    (cell(middle, 0).log_p > log_p ? low : high) = middle;
  }
  return low;
}

Scatter scatter_of(const Loss& loss, const Batch& batch, const std::vector<double>& mean) {
  Scatter scatter;
  if (!has_scale(loss.info()) && !has_dispersion(loss.info())) return scatter;
  std::vector<double> f, best;
  if (loss.info().law == Law::gamma) {
    f.resize(batch.size());
    best.resize(batch.size());
    loss.values(batch.size(), batch.x.data(), mean.data(), f.data());
    loss.values(batch.size(), batch.x.data(), batch.x.data(), best.data());
  }
  std::optional<SurpriseLaw> law;
  for (int round = 0; round < rounds; ++round) {
    double cells = 0, squares = 0, means = 0, loss_sum = 0, best_sum = 0;
    for (std::size_t t = 0; t < batch.size(); ++t) {
      if (law && law->cell(mean[t], batch.x[t]).log_p < beyond_doubt) continue;
      const double w = batch.w[t], gap = batch.x[t] - mean[t];
      cells += w;
      squares += w * gap * gap;
      means += w * mean[t];
      if (f.empty()) continue;
      loss_sum += w * f[t];
      best_sum += w * best[t];
    }
    if (has_dispersion(loss.info())) {
      scatter.dispersion = means > 0 ? std::max(1.0, squares / means) : 1.0;
    } else if (loss.info().law == Law::gamma) {
      scatter.scale = fitted_scale(loss.info(), loss_sum / cells, best_sum / cells);
    } else {
      scatter.scale = squares > 0 ? std::optional(std::sqrt(squares / cells)) : std::nullopt;
    }
    if (has_scale(loss.info()) && !scatter.scale) return scatter;
    law.emplace(loss, scatter.scale, scatter.dispersion);
  }
  return scatter;
}

}  // namespace polyad
