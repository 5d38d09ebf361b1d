#include <polyad/base/parallel.hpp>
#include <polyad/optim/lbfgsb.hpp>

#include "special_values.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <vector>

namespace polyad {
namespace {

// (x_i - i)^2 (1 + i), separable: the solution within bounds is the clamped one.
bool bowl(std::span<const double> x, double& f, std::span<double> g) {
  f = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double away = x[i] - static_cast<double>(i);
    f += away * away * static_cast<double>(1 + i);
    g[i] = 2 * away * static_cast<double>(1 + i);
  }
  return true;
}

const auto go_on = [](const LbfgsbIteration&) { return true; };

TEST(Lbfgsb, FindsTheSolutionWithinBounds) {
  std::vector<double> x(6, 2.5);
  const std::vector<double> lower = {0.5, -infinity, 2, -infinity, 0, 3};
  const std::vector<double> upper = {infinity, infinity, 3, 2.75, 10, 4};
  const LbfgsbEnd end = minimize_lbfgsb(x, lower, upper, {5, 0, 1e-10}, bowl, go_on);
  EXPECT_EQ(end, LbfgsbEnd::gradient);
  const std::vector<double> expected = {0.5, 1, 2, 2.75, 4, 4};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(x[i], expected[i], 1e-9);
}

bool rosenbrock(std::span<const double> x, double& f, std::span<double> g) {
  const double a = 1 - x[0];
  const double b = x[1] - x[0] * x[0];
  f = a * a + 100 * b * b;
  g[0] = -2 * a - 400 * x[0] * b;
  g[1] = 200 * b;
  return true;
}

TEST(Lbfgsb, FollowsACurvedValleyAndNeverRises) {
  std::vector<double> x = {-1.2, 1};
  const std::vector<double> lower(2, -infinity), upper(2, infinity);
  double last = infinity;
  minimize_lbfgsb(x, lower, upper, {10, 0, 1e-8}, rosenbrock, [&](const LbfgsbIteration& iteration) {
    EXPECT_LE(iteration.f, last);
    last = iteration.f;
    return true;
  });
  EXPECT_NEAR(x[0], 1, 1e-6);
  EXPECT_NEAR(x[1], 1, 1e-6);
}

TEST(Lbfgsb, StepsBackFromWhereTheObjectiveIsNotFinite) {
  // Least at 1; undefined from 3 on, where the first step leads.
  std::vector<double> x = {2.999};
  const std::vector<double> lower = {-infinity}, upper = {infinity};
  const auto cliff = [](std::span<const double> at, double& f, std::span<double> g) {
    f = at[0] < 3 && at[0] > -2 ? std::pow(at[0] - 1, 4) : std::nan("");
    g[0] = 4 * std::pow(at[0] - 1, 3);
    return true;
  };
  minimize_lbfgsb(x, lower, upper, {5, 0, 1e-6}, cliff, go_on);
  EXPECT_NEAR(x[0], 1, 0.02);
}

TEST(Lbfgsb, EndsWhenAskedOrWhenTheDecreaseIsSmall) {
  const std::vector<double> lower(6, -infinity), upper(6, infinity);
  std::vector<double> x(6, 50);
  int evaluations = 0;
  EXPECT_EQ(minimize_lbfgsb(
                x, lower, upper, {},
                [&](std::span<const double> at, double& f, std::span<double> g) {
                  return ++evaluations < 3 && bowl(at, f, g);
                },
                go_on),
            LbfgsbEnd::asked);
  EXPECT_EQ(evaluations, 3);
  EXPECT_EQ(minimize_lbfgsb(x, lower, upper, {}, bowl, [](const LbfgsbIteration&) { return false; }), LbfgsbEnd::asked);
  std::ranges::fill(x, 50);
  EXPECT_EQ(minimize_lbfgsb(x, lower, upper, {10, 0.5, 0}, bowl, go_on), LbfgsbEnd::tolerance);
  std::vector<double> none;
  EXPECT_EQ(minimize_lbfgsb(none, {}, {}, {}, bowl, go_on), LbfgsbEnd::gradient);
}

// The Fortran code keeps all its state in what it is given: runs side by side do not disturb each other.
TEST(Lbfgsb, RunsInParallelGiveTheSameBits) {
  const auto path = [](double start) {
    std::vector<double> x = {start, 1};
    const std::vector<double> lower(2, -10), upper(2, 10);
    std::vector<double> values;
    minimize_lbfgsb(x, lower, upper, {3, 0, 1e-9}, rosenbrock, [&](const LbfgsbIteration& iteration) {
      values.push_back(iteration.f);
      return true;
    });
    return values;
  };
  std::vector<std::vector<double>> alone, together(40);
  for (std::size_t i = 0; i < 40; ++i) alone.push_back(path(-3 + 0.1 * static_cast<double>(i)));
  parallel_tasks(40, 4, [&](std::size_t i) { together[i] = path(-3 + 0.1 * static_cast<double>(i)); });
  EXPECT_EQ(alone, together);
}

// Slopes so small that their products vanish make the library say so on standard output, which belongs to results.
TEST(Lbfgsb, IsSilent) {
  const auto flat = [] {
    dup2(STDERR_FILENO, STDOUT_FILENO);
    std::vector<double> x = {1, 2};
    const std::vector<double> lower(2, -INFINITY);
    const std::vector<double> upper(2, INFINITY);
    minimize_lbfgsb(
        x, lower, upper, {},
        [](std::span<const double> at, double& f, std::span<double> g) {
          f = 0;
          for (std::size_t i = 0; i < at.size(); ++i) {
            f += 1e-200 * at[i] * at[i];
            g[i] = 2e-200 * at[i];
          }
          return true;
        },
        [](const LbfgsbIteration&) { return true; });
    std::exit(0);  // what Fortran has buffered is written now
  };
  EXPECT_EXIT(flat(), testing::ExitedWithCode(0), testing::Eq(""));
}

}  // namespace
}  // namespace polyad
