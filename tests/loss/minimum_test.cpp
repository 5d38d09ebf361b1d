// Where each loss is least over m: what the model value means.

#include <polyad/base/error.hpp>
#include "grids.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <numbers>

namespace polyad {
namespace {

// The mean of a Poisson count, given that it is at least 1, as a function of the rate; inverted by bisection.
double truncated_rate(double seen_mean) {
  double low = 1e-12, high = seen_mean;
  for (int step = 0; step < 200; ++step) {
    const double middle = (low + high) / 2;
    (middle / (1 - std::exp(-middle)) < seen_mean ? low : high) = middle;
  }
  return low;
}

struct Minimum {
  std::vector<double> data;  ///< fractions stand for the mean of yes/no data, in which f is linear
  std::function<double(const Loss&, double x)> at;
};

const std::map<std::string, Minimum, std::less<>>& minima() {
  const auto at_data = [](const Loss&, double x) { return x; };
  static const std::map<std::string, Minimum, std::less<>> table = {
      {"gaussian", {{-3, 0, 0.5, 20}, at_data}},
      {"huber", {{-3, 0, 0.5, 20}, at_data}},
      {"poisson", {{0.25, 1, 5, 300}, at_data}},
      {"poisson-log", {{0.25, 1, 5, 300}, [](const Loss&, double x) { return std::log(x); }}},
      {"negative-binomial",
       {{0.25, 1, 5, 300}, [](const Loss& loss, double x) { return x / loss.parameters()[0].second; }}},
      {"zero-truncated-poisson", {{1.5, 2, 7, 40}, [](const Loss&, double x) { return truncated_rate(x); }}},
      {"bernoulli-odds", {{0.1, 0.5, 0.9}, [](const Loss&, double p) { return p / (1 - p); }}},
      {"bernoulli-logit", {{0.1, 0.5, 0.9}, [](const Loss&, double p) { return std::log(p / (1 - p)); }}},
      {"gamma", {{0.25, 1, 5, 300}, at_data}},
      {"rayleigh", {{0.25, 1, 5, 300}, [](const Loss&, double x) { return x * std::sqrt(std::numbers::pi) / 2; }}},
      {"beta-divergence", {{0.25, 1, 5, 300}, at_data}},
  };
  return table;
}

TEST(Minimum, IsWhereTheLinkSays) {
  for (const Loss& loss : testing::many_losses()) {
    const auto found = minima().find(loss.name());
    ASSERT_NE(found, minima().end()) << loss.name() << ": state where its minimum is";
    for (const double x : found->second.data) {
      const double m = found->second.at(loss, x);
      SCOPED_TRACE(fmt::format("{} at x = {}, minimum expected at m = {}", loss.spec(), x, m));
      const double near = 1e-6 * (std::abs(m) + 1e-3), far = 1e-2 * (std::abs(m) + 1e-3);
      EXPECT_LT(loss.derivative(x, m - near), 0);
      EXPECT_GT(loss.derivative(x, m + near), 0);
      EXPECT_LT(loss.value(x, m), loss.value(x, m - far));
      EXPECT_LT(loss.value(x, m), loss.value(x, m + far));
    }
  }
}

TEST(Minimum, CertainAnswersPushToTheirSide) {
  for (const std::string_view name : {"bernoulli-odds", "bernoulli-logit"}) {
    const Loss loss = parse_loss(name);
    for (const double m : {0.01, 1.0, 30.0}) {
      EXPECT_LT(loss.derivative(1, m), 0) << name;
      EXPECT_GT(loss.derivative(0, m), 0) << name;
    }
  }
  // A single event seen in every recorded cell: the rate goes to 0.
  for (const double m : {0.0, 1e-9, 1e-3, 1.0}) EXPECT_GT(ZeroTruncatedPoisson{}.deriv(1.0, m), 0);
}

}  // namespace
}  // namespace polyad
