#include <polyad/solve/small_solve.hpp>

#include "special_values.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace polyad {
namespace {

// G'G for random G with `rows` rows: rank min(rows, r).
std::vector<double> gram(std::size_t r, std::size_t rows, std::mt19937_64& rng) {
  std::normal_distribution<double> normal;
  std::vector<double> g(rows * r);
  for (double& v : g) v = normal(rng);
  std::vector<double> h(r * r, 0.0);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t p = 0; p < r; ++p) {
      for (std::size_t q = 0; q < r; ++q) h[p * r + q] += g[i * r + p] * g[i * r + q];
    }
  }
  return h;
}

std::vector<double> times(const std::vector<double>& h, const std::vector<double>& a) {
  std::vector<double> b(a.size(), 0.0);
  for (std::size_t p = 0; p < a.size(); ++p) {
    for (std::size_t q = 0; q < a.size(); ++q) b[p] += h[p * a.size() + q] * a[q];
  }
  return b;
}

TEST(NormalEquations, AreSolved) {
  std::mt19937_64 rng(1);
  for (const std::size_t r : {1, 2, 5, 12}) {
    const std::vector<double> h = gram(r, 3 * r, rng);
    std::vector<double> a(r);
    for (double& v : a) v = std::normal_distribution<double>()(rng);
    const std::vector<double> b = times(h, a);
    NormalEquations equations(r);
    equations.factor(h);
    std::vector<double> found(r);
    equations.solve(b.data(), found.data());
    EXPECT_FALSE(equations.singular());
    for (std::size_t p = 0; p < r; ++p) EXPECT_NEAR(found[p], a[p], 1e-9);
  }
}

TEST(NormalEquations, OfDeficientRankHaveTheSolutionOfLeastNorm) {
  // Two equal columns: any split between them solves it, the even one is shortest.
  const std::vector<double> h = {2, 2, 0, 2, 2, 0, 0, 0, 3};
  const std::vector<double> b = {4, 4, 6};
  NormalEquations equations(3);
  equations.factor(h);
  EXPECT_TRUE(equations.singular());
  std::vector<double> a(3);
  equations.solve(b.data(), a.data());
  EXPECT_NEAR(a[0], 1, 1e-12);
  EXPECT_NEAR(a[1], 1, 1e-12);
  EXPECT_NEAR(a[2], 2, 1e-12);
  equations.factor(std::vector<double>(9, 0.0));
  equations.solve(b.data(), a.data());
  for (const double v : a) EXPECT_EQ(v, 0);
}

TEST(DescendWithinBounds, EndsWhereNoCoordinateCanImprove) {
  std::mt19937_64 rng(2);
  for (int trial = 0; trial < 20; ++trial) {
    const std::size_t r = 6;
    const std::vector<double> h = gram(r, 20, rng);
    std::vector<double> wish(r);
    for (double& v : wish) v = std::normal_distribution<double>()(rng);
    const std::vector<double> b = times(h, wish);
    std::vector<double> a(r, 0.1);
    descend_within_bounds(h, b.data(), 0, 0.5, a);
    const std::vector<double> ha = times(h, a);
    for (std::size_t p = 0; p < r; ++p) {
      EXPECT_GE(a[p], 0);
      EXPECT_LE(a[p], 0.5);
      const double slope = ha[p] - b[p];
      EXPECT_LE(a[p] > 0 ? slope : 0, 1e-8) << "could still be lowered";
      EXPECT_GE(a[p] < 0.5 ? slope : 0, -1e-8) << "could still be raised";
    }
  }
}

}  // namespace
}  // namespace polyad
