// Many values at once against one value at a time, and against a search on a grid that knows nothing of either.

#include <polyad/loss.hpp>
#include <polyad/loss/best_value.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace polyad {
namespace {

// Values in the loss's domain: repeated and different ones, small and large.
std::vector<double> values_for(Domain domain) {
  std::mt19937_64 draw(3);
  std::vector<double> values;
  for (int i = 0; i < 700; ++i) {
    const double u = (static_cast<double>(draw() >> 11) + 0.5) * 0x1p-53;
    const double scale = std::exp2(static_cast<double>(draw() % 13) - 6);
    switch (domain) {
      case Domain::real:
        values.push_back((u - 0.5) * scale);
        break;
      case Domain::nonnegative:
        values.push_back(draw() % 9 == 0 ? 0.0 : u * scale);
        break;
      case Domain::positive:
        values.push_back(u * scale);
        break;
      case Domain::binary:
        values.push_back(static_cast<double>(draw() % 2));
        break;
      case Domain::count:
        values.push_back(static_cast<double>(draw() % 40));
        break;
      case Domain::positive_count:
        values.push_back(static_cast<double>(1 + draw() % 40));
        break;
    }
  }
  return values;
}

TEST(BestValue, LeastLossOfManyIsThatOfEach) {
  for (const Loss& loss : all_losses()) {
    const std::vector<double> x = values_for(loss.info().domain);
    std::vector<double> at_once(x.size());
    LeastLoss many(loss);
    many.values(x.size(), x.data(), at_once.data());
    for (std::size_t t = 0; t < x.size(); ++t) {
      LeastLoss one(loss);  // remembers nothing
      const double alone = one(x[t]);
      EXPECT_NEAR(at_once[t], alone, 1e-10 * (1 + std::abs(alone))) << loss.name() << " at " << x[t];
    }
  }
}

TEST(BestValue, NoPlaceOnAGridIsBelowTheLeast) {
  for (const Loss& loss : all_losses()) {
    std::vector<double> x = values_for(loss.info().domain);
    x.resize(50);
    std::vector<double> least(x.size());
    LeastLoss(loss).values(x.size(), x.data(), least.data());
    for (std::size_t t = 0; t < x.size(); ++t) {
      double lowest = std::numeric_limits<double>::infinity();
      for (double m = 1e-6; m < 1e3; m *= 1.01) {
        lowest = std::min(lowest, loss.value(x[t], m));
        if (loss.info().lower != 0) lowest = std::min(lowest, loss.value(x[t], -m));
      }
      EXPECT_LE(least[t], lowest + 1e-9 * (1 + std::abs(lowest))) << loss.name() << " at " << x[t];
    }
  }
}

// m - the logarithm of the expected count - is small where exp(x) is beyond all numbers.
TEST(BestValue, LargeCountsWithALogarithm) {
  const Loss loss = parse_loss("poisson-log");
  const std::vector<double> x = {800, 8000, 1e6};
  std::vector<double> least(x.size());
  LeastLoss(loss).values(x.size(), x.data(), least.data());
  for (std::size_t t = 0; t < x.size(); ++t) {
    const double known = x[t] - x[t] * std::log(x[t]);
    EXPECT_NEAR(least[t], known, 1e-9 * std::abs(known)) << x[t];
    EXPECT_NEAR(LeastLoss(loss)(x[t]), known, 1e-9 * std::abs(known)) << x[t];
  }
  const std::vector<double> weights = {1, 1, 1};
  EXPECT_NEAR(best_constant(loss, x, weights), std::log((800 + 8000 + 1e6) / 3), 1e-6);
}

TEST(BestValue, ExpectedValuesOfManyAreThoseOfEach) {
  for (const Loss& loss : all_losses()) {
    std::vector<double> m = values_for(loss.info().lower == 0 ? Domain::positive : Domain::real);
    std::vector<double> at_once(m.size());
    expected_values(loss, m.size(), m.data(), at_once.data());
    for (std::size_t t = 0; t < m.size(); ++t) {
      const double alone = expected_value(loss, m[t]);
      EXPECT_NEAR(at_once[t], alone, 1e-7 * (1 + std::abs(alone))) << loss.name() << " at " << m[t];
    }
  }
}

TEST(BestValue, WeightsAddUpHoweverOftenAValueComes) {
  // More different values than a table of 64k slots holds, each of them twice.
  ValueWeights all;
  constexpr std::size_t different = 100'000;
  for (std::size_t round = 0; round < 2; ++round) {
    for (std::size_t i = 0; i < different; ++i) all.add(static_cast<double>(i), 0.5);
  }
  std::vector<double> x, w;
  all.collect(x, w);
  std::vector<double> sums(different, 0.0);
  for (std::size_t t = 0; t < x.size(); ++t) sums[static_cast<std::size_t>(x[t])] += w[t];
  EXPECT_TRUE(std::ranges::all_of(sums, [](double s) { return s == 1.0; }));
  EXPECT_NEAR(best_constant(all_losses().front(), all), best_constant(all_losses().front(), x, w), 1e-12);
}

}  // namespace
}  // namespace polyad
