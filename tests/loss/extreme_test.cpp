// Losses at the ends of their ranges: never NaN, infinite only where the true value is, accurate where plain
// forms cancel.

#include <polyad/base/error.hpp>
#include <polyad/base/simd_target.hpp>
#include "each_simd_target.hpp"
#include "grids.hpp"
#include "oracle.hpp"

#include "special_values.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace polyad {
namespace {

using testing::data_values;
using testing::exact_loss;
using testing::ExactSum;
using testing::many_losses;

std::vector<double> extreme_model_values(double lower) {
  std::vector<double> values = {0, 1e-300, 1e-15, 1e-12, 1e-10, 1e-8, 1e-5, 1e5, 1e20};
  if (lower == 0) {
    values.insert(values.end(), {36, 40, 700, 720, 1e100, 1e150});
  } else {
    values.insert(values.end(), {36, 40, 700, 709, 720, 800, -1e-12, -36, -40, -700, -800, -1e5, -1e20});
  }
  return values;
}

void expect_exact(double ours, const ExactSum& exact) {
  const double truth = exact.value;
  if (std::isinf(truth)) {
    EXPECT_EQ(ours, truth);
  } else {
    // An exponent such as 0.3 - 1 is rounded, which log(1e150) = 345 makes larger; in vectors the whole power goes
    // through that logarithm.
    const double tolerance = simd_target() == SimdTarget::scalar ? 3e-14 : 2e-13;
    EXPECT_NEAR(ours, truth, tolerance * exact.scale + 2e-16);
  }
}

void check_extreme_values() {
  for (const Loss& loss : many_losses()) {
    const double beta = loss.name() == "beta-divergence" ? loss.parameters()[0].second : 0.5;
    if (beta == 0 || beta == 1) continue;  // no general form to compare with: see beta_divergence_test.cpp
    for (const double x : data_values(loss.info().domain)) {
      for (const double m : extreme_model_values(loss.info().lower)) {
        if (loss.name().starts_with("poisson-log") && m > 1e4) continue;  // beyond the oracle's range too
        if (loss.name().starts_with("bernoulli-logit") && std::abs(m) > 1e4) continue;
        SCOPED_TRACE(fmt::format("{} at x = {}, m = {}", loss.spec(), x, m));
        const auto exact = exact_loss(loss, x, m);
        expect_exact(loss.value(x, m), exact.f);
        expect_exact(loss.derivative(x, m), exact.df);
      }
    }
  }
}

TEST(Extreme, ValuesAndDerivativesAreRight) {
  testing::for_each_simd_target([](SimdTarget) { check_extreme_values(); });
}

TEST(Extreme, LargestNumbersGiveNoNaN) {
  for (const Loss& loss : many_losses()) {
    for (const double x : data_values(loss.info().domain)) {
      for (double m : {1e300, 1e308, std::numeric_limits<double>::max()}) {
        if (loss.name() == "poisson-log" && std::isinf(x * m)) continue;  // infinity - infinity
        EXPECT_FALSE(std::isnan(loss.value(x, m))) << loss.spec() << " at " << x << ", " << m;
        EXPECT_FALSE(std::isnan(loss.derivative(x, m))) << loss.spec() << " at " << x << ", " << m;
        if (loss.info().lower == 0) continue;
        EXPECT_FALSE(std::isnan(loss.value(x, -m))) << loss.spec() << " at " << x << ", " << -m;
        EXPECT_FALSE(std::isnan(loss.derivative(x, -m))) << loss.spec() << " at " << x << ", " << -m;
      }
    }
  }
}

TEST(Extreme, NaNIsNeverHidden) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Loss& loss : many_losses()) {
    EXPECT_TRUE(std::isnan(loss.value(1, nan))) << loss.spec();
    EXPECT_TRUE(std::isnan(loss.derivative(1, nan))) << loss.spec();
  }
}

TEST(Extreme, LogitNeverOverflows) {
  const Loss loss = parse_loss("bernoulli-logit");
  for (const double m : {800.0, 1e308}) {
    EXPECT_EQ(loss.value(0, m), m);
    EXPECT_EQ(loss.value(1, m), 0);
    EXPECT_EQ(loss.value(0, -m), 0);
    EXPECT_EQ(loss.value(1, -m), m);
    EXPECT_EQ(loss.derivative(0, m), 1);
    EXPECT_EQ(loss.derivative(1, m), 0);
    EXPECT_EQ(loss.derivative(0, -m), 0);
    EXPECT_EQ(loss.derivative(1, -m), -1);
  }
  // Small losses and slopes keep their digits on both sides.
  EXPECT_DOUBLE_EQ(loss.value(1, 40), std::exp(-40.0));
  EXPECT_DOUBLE_EQ(loss.derivative(1, 40), -std::exp(-40.0));
  EXPECT_DOUBLE_EQ(loss.derivative(0, -40), std::exp(-40.0));
}

TEST(Extreme, PoissonLogOverflowsUpwardsOnly) {
  const Loss loss = parse_loss("poisson-log");
  EXPECT_EQ(loss.value(3, 800), infinity);
  EXPECT_EQ(loss.derivative(3, 800), infinity);
  EXPECT_EQ(loss.value(3, -800), 2400);
  EXPECT_EQ(loss.derivative(3, -800), -3);
}

TEST(Extreme, BoundIsFinite) {
  for (const Loss& loss : many_losses()) {
    for (const double x : data_values(loss.info().domain)) {
      EXPECT_TRUE(std::isfinite(loss.value(x, 0))) << loss.spec() << " at x = " << x;
      EXPECT_TRUE(std::isfinite(loss.derivative(x, 0))) << loss.spec() << " at x = " << x;
    }
  }
  EXPECT_DOUBLE_EQ(Poisson{}.value(3.0, 0.0), -3 * std::log(1e-10));
  EXPECT_DOUBLE_EQ(Poisson{}.deriv(3.0, 0.0), 1 - 3e10);
  EXPECT_EQ(Poisson{}.value(0.0, 0.0), 0);
  EXPECT_EQ(Poisson{}.deriv(0.0, 0.0), 1);
}

TEST(Extreme, OddsKeepDigitsNearZero) {
  EXPECT_DOUBLE_EQ(BernoulliOdds{}.value(0.0, 1e-12), 1e-12 - 0.5e-24);
  EXPECT_DOUBLE_EQ(NegativeBinomial{4}.value(0.0, 1e-12), 4 * (1e-12 - 0.5e-24));
}

// x = 1: the terms of the derivative are as large as 1e10 and leave 0.5 to 1.
TEST(Extreme, ZeroTruncatedPoissonKeepsDigitsNearZero) {
  for (double m = 1e-16; m < 1e3; m *= 1.7) {
    const double exact = exact_loss("zero-truncated-poisson", 0, 1, m).df.value;
    EXPECT_NEAR(ZeroTruncatedPoisson{}.deriv(1.0, m), exact, 4e-15) << "m = " << m;
  }
}

}  // namespace
}  // namespace polyad
