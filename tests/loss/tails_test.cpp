// Tails against sums of probabilities in logarithms, and against figures of mpmath where no double holds the probability.

#include <polyad/loss/tails.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace polyad {
namespace {

using LogProbability = std::function<long double(long double)>;

LogProbability poisson(long double m) {
  return [m](long double k) { return k * std::log(m) - m - std::lgamma(k + 1); };
}
LogProbability negative_binomial(long double m, long double variance) {
  const long double r = m * m / (variance - m);
  return [=](long double k) {
    return std::lgamma(k + r) - std::lgamma(r) - std::lgamma(k + 1) + r * std::log(r / (r + m)) +
           k * std::log(m / (r + m));
  };
}
LogProbability binomial(long double n, long double p) {
  return [=](long double k) {
    if (k > n) return -INFINITY * 1.0L;
    return std::lgamma(n + 1) - std::lgamma(n - k + 1) - std::lgamma(k + 1) + k * std::log(p) +
           (n - k) * std::log1p(-p);
  };
}

// The logarithm of half the probability of x and all of those from `first` to `last`.
long double log_tail(const LogProbability& law, long double x, long double first, long double last) {
  const long double own = law(x);
  long double sum = 0.5L;
  for (long double k = first; k <= last; ++k) {
    const long double term = std::exp(law(k) - own);
    sum += term;
    if (first > x && term < 1e-22L * sum) break;
  }
  return own + std::log(sum);
}

void expect_tail(const Tail& tail, const LogProbability& law, double x, double least, const std::string& what) {
  const auto lower = static_cast<double>(log_tail(law, x, least, x - 1));
  const auto upper = static_cast<double>(log_tail(law, x, x + 1, x + 1e6));
  const double expected = std::min(0.0, std::log(2.0) + std::min(lower, upper));
  EXPECT_NEAR(tail.log_p, expected, 1e-10 * (10 + std::abs(expected))) << what << " at " << x;
  if (expected < -1e-9) {
    EXPECT_EQ(tail.side, upper < lower ? 1 : -1) << what << " at " << x;
  }
}

const std::vector<double> some_counts = {0, 1, 2, 3, 7, 20, 25, 60, 150, 1000};

TEST(Tails, CountsAreSumsOfProbabilities) {
  for (const double mean : {1e-8, 0.01, 0.4, 1.0, 3.0, 18.5, 120.0}) {
    for (const double x : some_counts) {
      expect_tail(count_tail(mean, mean, x), poisson(mean), x, 0, "poisson " + std::to_string(mean));
      for (const double ratio : {1.0001, 1.7, 40.0}) {
        expect_tail(count_tail(mean, ratio * mean, x), negative_binomial(mean, ratio * mean), x, 0,
                    "negative binomial " + std::to_string(mean) + " " + std::to_string(ratio));
      }
    }
  }
}

TEST(Tails, YesAndNoIsABinomialOfOne) {
  for (const double p : {0.001, 0.3, 0.5, 0.97}) {
    EXPECT_NEAR(count_tail(p, p * (1 - p), 0).log_p, std::log(1 - p), 1e-9);
    EXPECT_EQ(count_tail(p, p * (1 - p), 0).side, -1);
  }
  for (const double n : {5.0, 60.0, 4000.0}) {
    for (const double p : {0.01, 0.4}) {
      for (const double x : some_counts) {
        if (x < n) expect_tail(count_tail(n * p, n * p * (1 - p), x), binomial(n, p), x, 0, "binomial");
      }
    }
  }
}

// Where Boost takes over, and where its result would be 0, no jump and no infinity.
TEST(Tails, LargeCountsGoOnWhereSmallOnesEnd) {
  for (const double mean : {159'000.0, 161'000.0, 3e6}) {
    for (const double off : {-45.0, -12.0, -1.0, 0.5, 8.0, 29.0, 31.0, 60.0}) {
      const double x = std::floor(mean + off * std::sqrt(mean));
      const Tail tail = count_tail(mean, mean, x);
      const double z = normal_tail((x - mean) / std::sqrt(mean)).log_p;
      EXPECT_NEAR(tail.log_p, z, 0.02 + 0.1 * std::abs(z)) << mean << " " << off;
      EXPECT_TRUE(std::isfinite(tail.log_p));
      EXPECT_EQ(tail.side, off > 0 ? 1 : -1);
    }
  }
}

TEST(Tails, OfTruncatedCountsLeaveZeroOut) {
  for (const double rate : {0.01, 0.7, 4.0, 50.0}) {
    const LogProbability whole = poisson(rate);
    const long double log_all = std::log(-std::expm1(-static_cast<long double>(rate)));
    const LogProbability law = [&](long double k) { return whole(k) - log_all; };
    for (const double x : some_counts) {
      if (x >= 1) expect_tail(truncated_count_tail(rate, x), law, x, 1, "truncated");
    }
  }
}

TEST(Tails, OfContinuousLawsAreThoseOfMpmath) {
  EXPECT_NEAR(normal_tail(3).log_p, -5.914579040950405, 1e-12);
  EXPECT_NEAR(normal_tail(-40).log_p, -803.915294833194, 1e-9);
  EXPECT_NEAR(normal_tail(100).log_p, -5004.831061513645, 1e-8);
  EXPECT_NEAR(normal_tail(36.999999).log_p, normal_tail(37.000001).log_p, 1e-3);
  EXPECT_EQ(normal_tail(-40).side, -1);
  // Shape 2.5 at y = 1200 and 1e-150, shape 40 at y = 2000.
  EXPECT_NEAR(gamma_tail(1, 2.5, 1200 / 2.5).log_p, -1188.955170696882, 1e-9);
  EXPECT_NEAR(gamma_tail(1, 2.5, 1e-150 / 2.5).log_p, -863.9772362945543, 1e-9);
  EXPECT_NEAR(gamma_tail(1, 40, 2000.0 / 40).log_p, -1809.483734655682, 1e-8);
  EXPECT_EQ(gamma_tail(1, 40, 2000.0 / 40).side, 1);
  EXPECT_NEAR(gamma_tail(3, 1, 6).log_p, std::log(2.0) - 2, 1e-12);  // an exponential law
  EXPECT_NEAR(rayleigh_tail(1, 3).log_p, std::log(2.0) - M_PI / 4 * 9, 1e-12);
  EXPECT_NEAR(rayleigh_tail(1, 1e-3).log_p, std::log(2 * -std::expm1(-M_PI / 4 * 1e-6)), 1e-12);
}

TEST(Tails, IntervalsOfCountsHoldTheirShare) {
  for (const double mean : {0.02, 1.0, 40.0, 5000.0}) {
    for (const double ratio : {0.7, 1.0, 3.0}) {
      const auto [low, high] = count_interval(mean, ratio * mean, 0.9);
      // Of the values below `low` no more than 5 % occur, with `low` itself at least 5 %: seen through mid-p.
      const Tail at_low = count_tail(mean, ratio * mean, low), at_high = count_tail(mean, ratio * mean, high);
      if (mean == 5000.0) {
        EXPECT_NEAR(at_low.log_p, std::log(0.1), 0.1);
        EXPECT_NEAR(at_high.log_p, std::log(0.1), 0.1);
      }
      EXPECT_LE(low, mean);
      EXPECT_GE(high, std::floor(mean));
    }
  }
  EXPECT_EQ(count_interval(3, 3, 0.9), (std::pair<double, double>(1, 6)));
}

}  // namespace
}  // namespace polyad
