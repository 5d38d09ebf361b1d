// The derivative of every loss against differences of its value and against dual numbers.

#include "grids.hpp"
#include "oracle.hpp"

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

}  // namespace
}  // namespace polyad
