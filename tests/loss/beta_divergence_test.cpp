#include "oracle.hpp"

#include <polyad/loss/all.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace polyad {
namespace {

constexpr double data[] = {0.2, 1, 6};
constexpr double models[] = {1e-3, 0.4, 1, 2.5, 30};

// f matters up to a constant only.
double rise(const BetaDivergence& loss, double x, double m) {
  return loss.value(x, m) - loss.value(x, 1.0);
}

TEST(BetaDivergence, PolesAreGammaAndPoissonExactly) {
  for (const double x : data) {
    for (const double m : models) {
      EXPECT_EQ(BetaDivergence{0}.value(x, m), Gamma{}.value(x, m));
      EXPECT_EQ(BetaDivergence{1}.value(x, m), Poisson{}.value(x, m));
      EXPECT_DOUBLE_EQ(BetaDivergence{0}.deriv(x, m), Gamma{}.deriv(x, m));
      EXPECT_DOUBLE_EQ(BetaDivergence{1}.deriv(x, m), Poisson{}.deriv(x, m));
    }
  }
}

TEST(BetaDivergence, TwoIsHalfOfGaussian) {
  for (const double x : data) {
    for (const double m : models) {
      EXPECT_NEAR(rise({2}, x, m), (Gaussian{}.value(x, m) - Gaussian{}.value(x, 1.0)) / 2, 1e-8);
      EXPECT_NEAR(BetaDivergence{2}.deriv(x, m), Gaussian{}.deriv(x, m) / 2, 2e-10);
    }
  }
}

TEST(BetaDivergence, IsContinuousAtThePoles) {
  for (const double pole : {0.0, 1.0}) {
    for (const double step : {-1e-5, -1e-9, -1e-13, 1e-13, 1e-9, 1e-5}) {
      for (const double x : data) {
        for (const double m : models) {
          const BetaDivergence at{pole}, beside{pole + step};
          // d rise / d beta is below (1 + log(1000)^2) (rise's terms); terms are up to 6e3.
          EXPECT_NEAR(rise(beside, x, m), rise(at, x, m), std::abs(step) * 50 * 6e3 + 1e-11);
          EXPECT_NEAR(beside.deriv(x, m), at.deriv(x, m),
                      std::abs(step) * 10 * std::abs(at.deriv(x, m)) + 1e-12 * std::abs(at.deriv(x, m)));
        }
      }
    }
  }
}

TEST(BetaDivergence, IsContinuousWhereTheFormChanges) {
  for (const double pole : {0.0, 1.0}) {
    for (const double side : {-1.0, 1.0}) {
      const BetaDivergence inside{pole + side * (BetaDivergence::near_pole - 1e-13)};
      const BetaDivergence outside{pole + side * (BetaDivergence::near_pole + 1e-13)};
      for (const double x : data) {
        for (const double m : models) {
          EXPECT_NEAR(rise(inside, x, m), rise(outside, x, m), 1e-8);
        }
      }
    }
  }
}

// Differences of f against 50 digits, with parameters near and far from the poles.
TEST(BetaDivergence, RisesAsTheFormulaDoes) {
  for (const double beta : {-2.0, -0.5, -0.009, -1e-7, 1e-7, 0.009, 0.02, 0.5, 0.98, 0.995, 1 + 1e-8, 1.2, 3.0}) {
    for (const double x : data) {
      for (const double m : models) {
        const double exact = testing::exact_rise("beta-divergence", beta, x, 1.0, m);
        // At 1/c the general form loses up to a hundredfold of the last digit.
        EXPECT_NEAR(rise({beta}, x, m), exact, 1e-13 * (100 + std::abs(exact))) << beta << " " << x << " " << m;
      }
    }
  }
}

TEST(BetaDivergence, PaperHalf) {
  EXPECT_DOUBLE_EQ(BetaDivergence{0.5}.value(3.0, 4.0), 2 * std::sqrt(4.0 + 1e-10) + 2 * 3.0 / std::sqrt(4.0 + 1e-10));
}

TEST(BetaDivergence, FactsDependOnBeta) {
  EXPECT_EQ(Loss::of(BetaDivergence{0.5}).info().domain, Domain::nonnegative);
  EXPECT_EQ(Loss::of(BetaDivergence{2}).info().domain, Domain::nonnegative);
  EXPECT_EQ(Loss::of(BetaDivergence{0}).info().domain, Domain::positive);
  EXPECT_EQ(Loss::of(BetaDivergence{-1}).info().domain, Domain::positive);
  EXPECT_EQ(Loss::of(BetaDivergence{1}).info().zero_sum, ZeroSum::linear);
  EXPECT_EQ(Loss::of(BetaDivergence{0.5}).info().zero_sum, ZeroSum::none);
}

}  // namespace
}  // namespace polyad
