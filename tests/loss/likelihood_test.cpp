// Laws of data against their definitions: sums of probabilities, integrals of densities, and the losses themselves.

#include "grids.hpp"

#include <polyad/loss/likelihood.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace polyad {
namespace {

constexpr double some_scale = 1.7;

double mean_of(const Loss& loss, double m) {
  double mean = 0;
  mean_values(loss, 1, &m, &mean);
  return mean;
}

std::vector<double> some_m(const Loss& loss) {
  if (loss.info().lower == 0) return {0.01, 0.4, 3, 17, 150};
  return {-2, 0.3, 3, 5.5};
}

// Sums or integrates visit(x) p(x) over what matters of the law.
template <class Visit>
double mean_over(const Likelihood& law, double mean, const Visit& visit) {
  double sum = 0;
  if (law.discrete()) {
    for (double x = 0; x < 10 * mean + 400; ++x) sum += visit(x) * law.probability(mean, x);
    return sum;
  }
  // Midpoints of fine steps, as far as anything is left.
  const bool normal = law.law() == Law::normal;
  const double low = normal ? mean - 10 * some_scale : 0, high = normal ? mean + 10 * some_scale : 20 * mean;
  const double step = (high - low) / 4000;
  for (double x = low + step / 2; x < high; x += step) sum += visit(x) * law.probability(mean, x) * step;
  return sum;
}

TEST(Likelihood, EveryLossWithALawHasItsMeanAndAllOfItsProbability) {
  for (const Loss& loss : all_losses()) {
    const auto law = Likelihood::of(loss, some_scale);
    ASSERT_EQ(law.has_value(), loss.info().law != Law::none) << loss.spec();
    if (!law) continue;
    for (const double m : some_m(loss)) {
      const double mean = mean_of(loss, m);
      EXPECT_NEAR(mean_over(*law, mean, [](double) { return 1.0; }), 1, 1e-4) << loss.spec() << " " << m;
      EXPECT_NEAR(mean_over(*law, mean, [](double x) { return x; }), mean, 1e-3 * (1 + std::abs(mean)))
          << loss.spec() << " " << m;
    }
  }
}

// -log p(x) is the loss times 1 / (2 s^2), k or 1, up to what does not depend on m.
TEST(Likelihood, IsThatOfTheLoss) {
  for (const Loss& loss : all_losses()) {
    const auto law = Likelihood::of(loss, some_scale);
    if (!law) continue;
    const double factor = law->law() == Law::normal  ? 1 / (2 * some_scale * some_scale)
                          : law->law() == Law::gamma ? some_scale
                                                     : 1.0;
    for (const double x : {1.0, 2.0, 5.0}) {
      if (!contains(loss.info().domain, x)) continue;
      const std::vector<double> ms = some_m(loss);
      for (std::size_t i = 1; i < ms.size(); ++i) {
        const double here = law->probability(mean_of(loss, ms[i]), x),
                     there = law->probability(mean_of(loss, ms[i - 1]), x);
        if (here < 1e-200 || there < 1e-200) continue;
        const double change = std::log(there) - std::log(here);
        EXPECT_NEAR(change, factor * (loss.value(x, ms[i]) - loss.value(x, ms[i - 1])), 1e-5 * (1 + std::abs(change)))
            << loss.spec() << " at x = " << x << ", m = " << ms[i];
      }
    }
  }
}

TEST(Likelihood, TailsAndIntervalsAreSumsOfProbabilities) {
  for (const Loss& loss : all_losses()) {
    const auto law = Likelihood::of(loss, some_scale);
    if (!law) continue;
    for (const double m : some_m(loss)) {
      const double mean = mean_of(loss, m);
      const double rough = law->discrete() ? 1e-9 : 5e-3;  // the step in which x lies
      for (const double x : {0.0, 1.0, 2.0, 7.0}) {
        const double below = mean_over(*law, mean, [&](double t) { return t <= x ? 1.0 : 0.0; });
        const double above = mean_over(*law, mean, [&](double t) { return t >= x ? 1.0 : 0.0; });
        EXPECT_NEAR(law->at_most(mean, x), below, rough) << loss.spec() << " " << m << " " << x;
        EXPECT_NEAR(law->at_least(mean, x), above, rough) << loss.spec() << " " << m << " " << x;
      }
      const auto [low, high] = law->interval(mean, 0.9);
      // As little as 5 % lies beyond, and no narrower interval has that property.
      EXPECT_LE(1 - law->at_least(mean, low), 0.05 + 1e-9) << loss.spec() << " " << m;
      EXPECT_LE(1 - law->at_most(mean, high), 0.05 + 1e-9) << loss.spec() << " " << m;
      if (law->discrete()) {
        EXPECT_GE(law->at_most(mean, low), 0.05 - 1e-9) << loss.spec() << " " << m;
        EXPECT_GE(law->at_least(mean, high), 0.05 - 1e-9) << loss.spec() << " " << m;
      } else {
        EXPECT_NEAR(law->at_most(mean, low), 0.05, 1e-9);
        EXPECT_NEAR(law->at_most(mean, high), 0.95, 1e-9);
      }
    }
  }
}

TEST(Likelihood, LargeCountsHaveTheIntervalOfSmallOnes) {
  // Beyond 200 quantiles come from elsewhere: no jump there.
  const auto law = Likelihood::of(parse_loss("poisson"), std::nullopt);
  const auto below = law->interval(199.999, 0.9), above = law->interval(200.001, 0.9);
  EXPECT_EQ(below, above);
}

TEST(Likelihood, ScalesAreFoundFromTheLossPerCell) {
  std::mt19937_64 draw(3);
  for (const char* name : {"gaussian", "gamma"}) {
    const Loss loss = parse_loss(name);
    double f = 0, best = 0;
    constexpr int n = 200000;
    std::normal_distribution<double> normal(2, 1.3);
    std::gamma_distribution<double> gamma(2.5, 2 / 2.5);
    for (int t = 0; t < n; ++t) {
      const double x = loss.info().law == Law::normal ? normal(draw) : gamma(draw);
      f += loss.value(x, 2) / n;
      best += loss.value(x, x) / n;
    }
    EXPECT_NEAR(*fitted_scale(loss.info(), f, best), loss.info().law == Law::normal ? 1.3 : 2.5, 0.03) << name;
  }
  EXPECT_FALSE(fitted_scale(parse_loss("poisson").info(), 2, 1));
  EXPECT_FALSE(fitted_scale(parse_loss("gaussian").info(), 1, 1));
  EXPECT_FALSE(Likelihood::of(parse_loss("gaussian"), std::nullopt));
}

}  // namespace
}  // namespace polyad
