// The derivative of every loss against differences of its value and against dual numbers.

#include "grids.hpp"
#include "oracle.hpp"

#include <polyad/loss.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace polyad {
namespace {

using testing::data_values;
using testing::for_each_loss;
using testing::many_losses;
using testing::model_values;

TEST(Derivative, IsTheSlopeOfTheValue) {
  for (const Loss& loss : many_losses()) {
    if (loss.spec() == "beta-divergence:beta=0" || loss.spec() == "beta-divergence:beta=1") continue;  // gamma, poisson
    for (const double x : data_values(loss.info().domain)) {
      for (const double m : model_values(loss.info().lower)) {
        const double h = 1e-5 * (loss.info().lower == 0 ? std::min(m, 1.0) : 1.0);
        const double up = loss.value(x, m + h), down = loss.value(x, m - h);
        const double slope = loss.derivative(x, m);
        const double rounding = 4e-15 * std::max(std::abs(up), std::abs(down)) / h;
        const double truncation = 1e-8 * std::max(1.0, testing::exact_loss(loss, x, m).df.scale);
        const double kink = loss.name() == "huber" ? 2 * h : 0.0;  // a step from the parabola on to the line
        EXPECT_NEAR((up - down) / (2 * h), slope, rounding + truncation + kink)
            << loss.spec() << " at x = " << x << ", m = " << m;
      }
    }
  }
}

TEST(Derivative, EqualsThatOfDualNumbers) {
  for_each_loss([](const auto& loss) {
    // The formula of zero-truncated-poisson's derivative is that of its value up to a factor 1 + O(eps).
    const double tolerance = loss.info.name == "zero-truncated-poisson" ? 2e-10 : 1e-14;
    for (const double x : data_values(loss.info.domain)) {
      for (const double m : model_values(loss.info.lower)) {
        const Dual dual = loss.value(Dual(x), Dual(m, 1.0));
        const double terms = testing::exact_loss(Loss::of(loss), x, m).df.scale;
        EXPECT_NEAR(dual.slope, loss.deriv(x, m), tolerance * terms) << loss.info.name << " at " << x << ", " << m;
        EXPECT_DOUBLE_EQ(dual.value, loss.value(x, m)) << loss.info.name << " at " << x << ", " << m;
      }
    }
  });
}

TEST(Derivative, LogitAtZeroIsSeenBothWays) {
  // max(m, 0) and |m| both have a kink at 0 which must cancel.
  EXPECT_EQ(BernoulliLogit{}.value(Dual(1), Dual(0.0, 1.0)).slope, -0.5);
  EXPECT_EQ(BernoulliLogit{}.value(Dual(0), Dual(0.0, 1.0)).slope, 0.5);
}

double curvature(const Loss& loss, double x, double m) {
  double out = 0;
  loss.curvatures(1, &x, &m, &out);
  return out;
}

TEST(Curvature, IsTheSlopeOfTheDerivative) {
  for (const Loss& loss : many_losses()) {
    for (const double x : data_values(loss.info().domain)) {
      for (const double m : model_values(loss.info().lower)) {
        if (loss.name() == "huber") continue;  // 2 or 0; at the kink neither side is wrong
        const double h = 1e-5 * (loss.info().lower == 0 ? std::min(m, 1.0) : 1.0);
        const double up = loss.derivative(x, m + h), down = loss.derivative(x, m - h);
        const double rounding = 1e-14 * std::max(std::abs(up), std::abs(down)) / h;
        const double slope = (up - down) / (2 * h);
        EXPECT_NEAR(slope, curvature(loss, x, m), rounding + 1e-7 * std::max(1.0, std::abs(slope)))
            << loss.spec() << " at x = " << x << ", m = " << m;
      }
    }
  }
  EXPECT_EQ(curvature(Loss::of(Huber{2}), 1, 2), 2);
  EXPECT_EQ(curvature(Loss::of(Huber{2}), 1, 4), 0);
}

TEST(Curvature, IsNeverNegativeWhereTheLossSaysItIsConvex) {
  for (const Loss& loss : many_losses()) {
    bool negative = false;
    for (const double x : data_values(loss.info().domain)) {
      for (const double m : model_values(loss.info().lower)) negative = negative || curvature(loss, x, m) < -1e-12;
    }
    EXPECT_EQ(negative, !loss.info().convex) << loss.spec();
  }
}

TEST(Curvature, OfALossThatGivesItsValueAloneComesFromDifferences) {
  const Loss square = user_loss("cube", [](auto x, auto m) { return m * m * m - x * m; });
  EXPECT_NEAR(curvature(square, 1, 2), 12, 1e-6);
  const Loss plain = user_loss(
      "plain", [](double x, double m) { return (m - x) * (m - x) * (m - x) * (m - x); },
      [](double x, double m) { return 4 * (m - x) * (m - x) * (m - x); }, {.lower = 0});
  EXPECT_NEAR(curvature(plain, 0, 2), 48, 1e-5);
  EXPECT_NEAR(curvature(plain, 1, 0), 12, 1e-3);  // one-sided at the bound
  const Loss formula = parse_loss("expr:m - x*log(m); lower=0; domain=count");
  EXPECT_NEAR(curvature(formula, 3, 2), 0.75, 1e-6);
}

}  // namespace
}  // namespace polyad
