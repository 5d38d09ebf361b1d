#include <polyad/base/error.hpp>
#include <polyad/base/rng.hpp>
#include <polyad/sample/draws/rejection.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace polyad::test {
namespace {

/// P(at least q successes among n trials), summed from the binomial probabilities themselves.
double chance_of_enough(std::uint64_t q, std::uint64_t n, double p) {
  double below = 0;
  for (std::uint64_t k = 0; k < q; ++k) {
    const double kd = static_cast<double>(k);
    const double nd = static_cast<double>(n);
    below += std::exp(std::lgamma(nd + 1) - std::lgamma(kd + 1) - std::lgamma(nd - kd + 1) + kd * std::log(p) +
                      (nd - kd) * std::log1p(-p));
  }
  return 1 - below;
}

TEST(Oversample, IsTheLeastNumberThatSufficesButOnceInAMillion) {
  for (const std::uint64_t q : {1, 3, 100, 1000}) {
    for (const double p : {0.04, 0.3, 0.9, 0.9965}) {
      const std::uint64_t n = candidates_for_zeros(q, p);
      EXPECT_GE(chance_of_enough(q, n, p), 0.999999 - 1e-10) << q << " " << p;
      if (n > q) {
        EXPECT_LT(chance_of_enough(q, n - 1, p), 0.999999 + 1e-10) << q << " " << p;
      }
    }
  }
}

TEST(Oversample, AgreesWithSimulation) {
  // A quantile rarely exceeded can be seen by simulation only from one side: over 20,000 trials, none or one exceed it,
  // while the mean need, q / p, is exceeded about half the time.
  Generator random(RandomStream(1, Purpose::problem));
  std::negative_binomial_distribution<std::uint64_t> rejects(50, 0.4);
  const std::uint64_t enough = candidates_for_zeros(50, 0.4);
  int short_of_enough = 0;
  int short_of_mean = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t need = 50 + rejects(random);
    short_of_enough += need > enough ? 1 : 0;
    short_of_mean += need > 125 ? 1 : 0;
  }
  EXPECT_LE(short_of_enough, 1);
  EXPECT_GT(short_of_mean, 8000);
}

TEST(Oversample, RateBehavesAsInAppendixB) {
  // The rate falls towards 1 as q grows and as nonzeros get rare; for q = 1000 the paper's 1.1 is enough where at least
  // about 60 % of the cells are zeros, and not below.
  for (const double p : {0.1, 0.5, 0.9, 0.99}) {
    EXPECT_GT(oversampling_rate(100, p), oversampling_rate(1000, p));
    EXPECT_GT(oversampling_rate(1000, p), oversampling_rate(10'000, p));
    EXPECT_GT(oversampling_rate(10'000, p), oversampling_rate(100'000, p));
    EXPECT_GE(oversampling_rate(100'000, p), 1.0);
  }
  EXPECT_GT(oversampling_rate(1000, 0.1), oversampling_rate(1000, 0.9));
  EXPECT_LT(oversampling_rate(1000, 0.65), 1.1);
  EXPECT_GT(oversampling_rate(1000, 0.55), 1.1);
  EXPECT_LT(oversampling_rate(100'000, 0.01), 1.02);
  // Normal approximation of the quantile: 1 + 4.753 sqrt((1 - p) / q).
  EXPECT_NEAR(oversampling_rate(1000, 0.5), 1 + 4.7534 * std::sqrt(0.5 / 1000), 0.01);
}

TEST(Oversample, EdgesAndErrors) {
  EXPECT_EQ(candidates_for_zeros(0, 0.5), 0u);
  EXPECT_EQ(candidates_for_zeros(17, 1.0), 17u);
  EXPECT_THROW(candidates_for_zeros(1, 0.0), Error);
  EXPECT_THROW(candidates_for_zeros(1, 1.5), Error);
  EXPECT_THROW(candidates_for_zeros(1, std::nan("")), Error);
  EXPECT_THROW(oversampling_rate(0, 0.5), Error);
}

}  // namespace
}  // namespace polyad::test
