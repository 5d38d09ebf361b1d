#include "grids.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace polyad {
namespace {

TEST(Domain, Contains) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  struct Case {
    Domain domain;
    std::vector<double> in, out;
  };
  const Case cases[] = {
      {Domain::real, {-1e300, -0.5, 0, 2}, {}},
      {Domain::nonnegative, {0, -0.0, 1e-300, 0.5, 7}, {-1e-300, -1}},
      {Domain::positive, {1e-300, 0.5, 7}, {0, -0.0, -1}},
      {Domain::binary, {0, 1}, {-1, 0.5, 2, 1 + 1e-15}},
      {Domain::count, {0, 1, 2, 1e15}, {-1, 0.5, 2.25}},
      {Domain::positive_count, {1, 2, 1e15}, {0, -1, 0.5, 2.25}},
  };
  for (const auto& [domain, in, out] : cases) {
    for (const double x : in) EXPECT_TRUE(contains(domain, x)) << describe(domain) << ": " << x;
    for (const double x : out) EXPECT_FALSE(contains(domain, x)) << describe(domain) << ": " << x;
    for (const double x : {nan, infinity, -infinity}) EXPECT_FALSE(contains(domain, x)) << describe(domain);
    EXPECT_FALSE(describe(domain).empty());
  }
  EXPECT_EQ(describe(Domain::count), "whole numbers 0, 1, 2, ...");
}

// Zeros are data only where f(0, m) does not fall without end as m goes to the bound.
TEST(Domain, ZeroIsAllowedWhereItsLossIsBounded) {
  for (const Loss& loss : testing::many_losses()) {
    const bool bounded = loss.value(0, 0) > loss.value(0, 1e-6) - 1;
    EXPECT_EQ(contains(loss.info().domain, 0), bounded) << loss.spec();
  }
}

TEST(ZeroSum, HoldsWhereClaimed) {
  std::vector<std::string> linear, quadratic;
  for (const Loss& loss : testing::many_losses()) {
    if (loss.info().zero_sum == ZeroSum::none) continue;
    const bool is_linear = loss.info().zero_sum == ZeroSum::linear;
    (is_linear ? linear : quadratic).push_back(loss.spec());
    for (const double m : {0.0, 1e-12, 0.3, 1.0, 17.5, 1e8}) {
      EXPECT_EQ(loss.value(0, m), is_linear ? m : m * m) << loss.spec();
      EXPECT_EQ(loss.derivative(0, m), is_linear ? 1 : 2 * m) << loss.spec();
    }
  }
  EXPECT_EQ(linear, (std::vector<std::string>{"poisson", "beta-divergence:beta=1"}));
  EXPECT_EQ(quadratic, std::vector<std::string>{"gaussian"});
}

}  // namespace
}  // namespace polyad
