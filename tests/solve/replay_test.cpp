// What stands for old data: least at the old model, equal to its definition, unbiased where it is sampled.

#include <polyad/loss/all.hpp>
#include <polyad/loss/best_value.hpp>
#include <polyad/solve/rows/row_replay.hpp>
#include <polyad/solve/rows/row_sum.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace polyad {
namespace {

Factors some_factors(const std::vector<std::uint64_t>& extents, std::size_t rank, unsigned seed) {
  std::mt19937_64 rng(seed);
  std::uniform_real_distribution<double> entry(0.1, 1.0);
  Factors out(extents, rank);
  for (double& v : out.flat()) v = entry(rng);
  out.clear_padding();
  return out;
}

double exact(const Loss& loss, const Factors& old, const Factors& now, const std::vector<double>& slice_weights,
             std::size_t row, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t t = 0; t < old.rows(0); ++t) {
    for (std::size_t i = 0; i < old.rows(2); ++i) {
      double m0 = 0, m = 0;
      for (std::size_t j = 0; j < old.rank(); ++j) {
        m0 += old.at(0, t, j) * old.at(1, row, j) * old.at(2, i, j);
        m += now.at(0, t, j) * b[j] * now.at(2, i, j);
      }
      sum += slice_weights[t] * loss.value(expected_value(loss, m0), m);
    }
  }
  return sum;
}

double replayed(const Loss& loss, const ReplayCells& cells, const Factors& now, std::size_t row,
                const std::vector<double>& b, RowPoint& point) {
  const AlignedVector<double> products = cells.products(now);
  RowReplay replay(cells, products, loss, now.rank());
  replay.choose(row);
  std::ranges::copy(b, point.b.begin());
  replay.evaluate(point, true);
  return point.f;
}

TEST(RowReplay, IsTheSumOverAllOldCellsAndFlatAtTheOldModel) {
  const Factors old = some_factors({5, 4, 3}, 2, 1), now = some_factors({5, 4, 3}, 2, 2);
  const std::vector<double> weights = {0.2, 0.4, 0.6, 0.8, 1};
  const ReplayCells cells(old, {1, 0, weights, 100, 1});
  ASSERT_EQ(cells.size(), 15u);
  for (const char* const spec : {"gaussian", "poisson", "poisson-log", "bernoulli-odds", "bernoulli-logit", "gamma",
                                 "rayleigh", "negative-binomial:r=2", "huber:delta=0.5", "beta-divergence:beta=1.5"}) {
    const Loss loss = parse_loss(spec);
    RowPoint point(old.stride());
    const std::vector<double> b = {0.7, 0.3}, own = {old.at(1, 2, 0), old.at(1, 2, 1)};
    const double value = exact(loss, old, now, weights, 2, b);
    EXPECT_NEAR(replayed(loss, cells, now, 2, b, point), value, 1e-7 * (1 + std::abs(value))) << spec;
    const double least = replayed(loss, cells, old, 2, own, point);
    for (std::size_t j = 0; j < 2; ++j) EXPECT_NEAR(point.gradient[j], 0, 1e-6) << spec;
    for (const double change : {-0.05, 0.05}) {
      EXPECT_GT(replayed(loss, cells, old, 2, {own[0] + change, own[1]}, point), least) << spec;
    }
  }
}

TEST(RowReplay, ASampleIsUnbiased) {
  const Factors old = some_factors({30, 4, 20}, 2, 3), now = some_factors({30, 4, 20}, 2, 4);
  std::vector<double> weights(30, 1.0);
  for (std::size_t t = 0; t < 15; ++t) weights[t] = 0.1;
  const Loss loss = parse_loss("poisson");
  const std::vector<double> b = {0.7, 0.3};
  const double value = exact(loss, old, now, weights, 1, b);
  double mean = 0, square = 0;
  constexpr int seeds = 200;
  RowPoint point(old.stride());
  for (int seed = 1; seed <= seeds; ++seed) {
    const ReplayCells cells(old, {1, 0, weights, 60, static_cast<std::uint64_t>(seed)});
    ASSERT_LE(cells.size(), 60u);
    const double f = replayed(loss, cells, now, 1, b, point);
    mean += f / seeds;
    square += f * f / seeds;
  }
  const double error = std::sqrt((square - mean * mean) / seeds);
  EXPECT_NEAR(mean, value, 4 * error);
  EXPECT_LT(error, 0.02 * std::abs(value));
}

TEST(RowReplay, KnowsNothingOfRowsThatTheOldModelDidNotHave) {
  const Factors old = some_factors({5, 4, 3}, 2, 1), now = some_factors({5, 6, 3}, 2, 2);
  const std::vector<double> weights(5, 1.0);
  const ReplayCells cells(old, {1, 0, weights, 100, 1});
  RowPoint point(old.stride());
  EXPECT_EQ(replayed(parse_loss("poisson"), cells, now, 5, {1, 1}, point), 0);
  EXPECT_EQ(point.gradient[0], 0);
}

TEST(RowSum, IsTheWeightedSumOfItsParts) {
  const Factors old = some_factors({5, 4, 3}, 2, 1), other = some_factors({5, 4, 3}, 2, 6);
  const std::vector<double> weights(5, 1.0);
  const ReplayCells first(old, {1, 0, weights, 100, 1}), second(other, {1, 0, weights, 100, 1});
  const Loss loss = parse_loss("poisson");
  const std::vector<double> b = {0.4, 0.9};
  RowPoint one(old.stride()), two(old.stride()), sum(old.stride());
  replayed(loss, first, old, 2, b, one);
  replayed(loss, second, old, 2, b, two);
  const AlignedVector<double> products = first.products(old), products2 = second.products(old);
  std::vector<RowSum::Part> parts;
  parts.push_back({std::make_unique<RowReplay>(first, products, loss, 2), 1});
  parts.push_back({std::make_unique<RowReplay>(second, products2, loss, 2), 0.25});
  RowSum both(std::move(parts));
  both.choose(2);
  std::ranges::copy(b, sum.b.begin());
  both.evaluate(sum, true);
  EXPECT_NEAR(sum.f, one.f + 0.25 * two.f, 1e-12);
  for (std::size_t j = 0; j < 2; ++j) EXPECT_NEAR(sum.gradient[j], one.gradient[j] + 0.25 * two.gradient[j], 1e-12);
  both.evaluate(sum, false);
  EXPECT_TRUE(std::isnan(sum.f));
}

}  // namespace
}  // namespace polyad
