#include "problems/helpers.hpp"

#include <polyad/problems/ingredients.hpp>

#include <cmath>
#include <set>

namespace polyad {
namespace {

using namespace testing;

/// Whether a sparse component reaches the cell, by definition.
bool reached(const KTensor& truth, const std::vector<Index>& index) {
  for (std::size_t j = 0; j + 1 < truth.rank(); ++j) {
    bool all = true;
    for (std::size_t k = 0; k < truth.modes(); ++k) all = all && truth.factors.at(k, index[k], j) != 0;
    if (all) return true;
  }
  return false;
}

struct Tally {
  double seen = 0, expected = 0, variance = 0;
  void add(double x, double p) {
    seen += x;
    expected += p;
    variance += p * (1 - p);
  }
  double z() const { return (seen - expected) / std::sqrt(variance); }
};

TEST(Binary, OnesFollowTheOddsInsideAndOutsideTheSupports) {
  // Overlapping supports (delta 0.4) and noise strong enough to be counted.
  const Problem p =
      make_binary({.shape = "40x30x25", .rank = 4, .delta = 0.4, .rho_high = 0.6, .rho_low = 0.02, .seed = 11});
  const SparseTensor& x = *p.tensor.sparse();
  Tally inside, outside, strong, weak;
  std::vector<Tally> rows(40);
  for_each_cell(x.space(), [&](const std::vector<Index>& index) {
    const double m = model_value(p.truth, index);
    const double probability = m / (1 + m);
    const double value = sparse_value(x, index);
    ASSERT_TRUE(value == 0 || value == 1);
    (reached(p.truth, index) ? inside : outside).add(value, probability);
    if (probability > 0.7) strong.add(value, probability);
    if (probability > 0.1 && probability < 0.3) weak.add(value, probability);
    rows[index[0]].add(value, probability);
  });
  EXPECT_LT(std::abs(inside.z()), 4);
  EXPECT_LT(std::abs(outside.z()), 4);
  EXPECT_LT(std::abs(strong.z()), 4);
  EXPECT_LT(std::abs(weak.z()), 4);
  EXPECT_GT(strong.variance, 20);
  EXPECT_GT(weak.variance, 20);
  double chi2 = 0;
  for (const Tally& row : rows) chi2 += row.z() * row.z();
  EXPECT_NEAR(chi2, 40, 5 * std::sqrt(80.0));
  EXPECT_EQ(x.zero_weight(), 1);
  EXPECT_EQ(inside.seen + outside.seen, static_cast<double>(x.listed()));
}

TEST(Binary, ColumnsHaveTheStatedSupportAndTheLastIsConstant) {
  const Problem p = make_binary({.shape = "200x150x100x50", .seed = 2});
  const Factors& a = p.truth.factors;
  double sum = 0, count = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    for (std::size_t j = 0; j < 4; ++j) {
      std::size_t nonzero = 0;
      for (std::size_t i = 0; i < a.rows(k); ++i) {
        EXPECT_GE(a.at(k, i, j), 0);
        nonzero += a.at(k, i, j) != 0;
        sum += a.at(k, i, j);
      }
      EXPECT_EQ(nonzero, std::lround(0.15 * static_cast<double>(a.rows(k))));
      count += static_cast<double>(nonzero);
    }
    for (std::size_t i = 0; i < a.rows(k); ++i) EXPECT_EQ(a.at(k, i, 4), std::pow(0.0025 / 0.9975, 0.25));
  }
  // |N(9^(1/4), 0.5)|: the fold changes the mean by less than 1e-4.
  EXPECT_NEAR(sum / count, std::pow(9.0, 0.25), 5 * 0.5 / std::sqrt(count));
  // The paper's instance has 150,452 structural and 374,435 noise ones; supports here are 4 x 30 x 23 x 15 x
  // 8 cells, most of them ones.
  const auto ones = static_cast<double>(p.tensor.sparse()->listed());
  EXPECT_GT(ones, 375000 + 0.7 * 331200);
  EXPECT_LT(ones, 375000 + 331200);
  EXPECT_NE(p.describe.find("200 x 150 x 100 x 50"), std::string::npos);
}

TEST(Binary, SameForAnyNumberOfThreadsAndDifferentForOtherSeeds) {
  BinaryOptions options{.shape = "50x40x30x20", .seed = 7};
  const Problem one = make_binary(options, 1);
  const Problem many = make_binary(options, 4);
  EXPECT_EQ(one.truth, many.truth);
  expect_same_records(one.tensor.sparse()->records(), many.tensor.sparse()->records());
  options.seed = 8;
  const Problem other = make_binary(options, 1);
  EXPECT_NE(one.truth, other.truth);
  EXPECT_NE(one.tensor.sparse()->listed(), other.tensor.sparse()->listed());
}

TEST(Binary, RankOneIsNoiseOnly) {
  const Problem p = make_binary({.shape = "100x100x100", .rank = 1, .rho_low = 0.01});
  EXPECT_NEAR(static_cast<double>(p.tensor.sparse()->listed()), 1e4, 4 * std::sqrt(1e4));
}

TEST(Binary, ManyComponentsAndFullColumns) {
  const Problem p = make_binary({.shape = "8x7x6", .rank = 70, .delta = 1, .rho_high = 0.99});
  EXPECT_GE(p.tensor.sparse()->listed(), 333u);  // of 336 cells, with odds in the thousands everywhere
  const Problem thin = make_binary({.shape = "40x40x40", .rank = 130, .delta = 0.05, .rho_low = 1e-6});
  for_each_cell(thin.tensor.space(), [&](const std::vector<Index>& index) {
    if (sparse_value(*thin.tensor.sparse(), index) == 0) return;
    EXPECT_TRUE(reached(thin.truth, index));
  });
}

TEST(Binary, SpacesBeyond64BitsWork) {
  // 2^90 cells.
  const Problem p = make_binary(
      {.shape = "64x64x64x64x64x64x64x64x64x64x64x64x64x64x64", .rank = 4, .delta = 0.001, .rho_low = 1e-24});
  EXPECT_GT(p.tensor.space().log2_cells(), 89.9);
  EXPECT_NEAR(static_cast<double>(p.tensor.sparse()->listed()), 1238, 5 * std::sqrt(1238.0));
}

TEST(Binary, TooManyOnesAreRefused) {
  expect_usage_error([] { make_binary({.shape = "100000x100000", .rho_low = 0.5}); }, "would have about");
  expect_usage_error([] { make_binary({.delta = 0}); }, "delta must be between");
}

TEST(TossSlab, GivesDistinctCellsOfTheSlabEachEquallyOften) {
  const IndexSpace space({3, 4, 5});
  Generator generator = problem_generator(1, ProblemStream::noise);
  std::vector<double> hits(20, 0);
  double total = 0;
  for (int repeat = 0; repeat < 5000; ++repeat) {
    Records out(3);
    toss_slab(generator, space, 1, 2, 0.3, out);
    std::set<std::size_t> cells;
    for (std::size_t record = 0; record < out.size(); ++record) {
      ASSERT_EQ(out.index(record)[1], 2u);
      const std::size_t cell = out.index(record)[0] * 5 + out.index(record)[2];
      EXPECT_TRUE(cells.insert(cell).second);
      ++hits[cell];
    }
    total += static_cast<double>(out.size());
  }
  for (std::size_t cell = 0; cell < 15; ++cell) EXPECT_NEAR(hits[cell], 1500, 5 * std::sqrt(5000 * 0.21)) << cell;
  EXPECT_NEAR(total, 22500, 5 * std::sqrt(75000 * 0.21));
}

TEST(BinomialCount, HasBinomialMeanAndVariance) {
  Generator generator = problem_generator(2, ProblemStream::noise);
  for (const auto& [trials, p] : {std::pair{40.0, 0.3}, std::pair{1e6, 0.0025}, std::pair{0x1p70, 1e-18}}) {
    double sum = 0, squares = 0;
    const double mean = trials * p, variance = mean * (1 - p), n = 20000;
    for (int i = 0; i < n; ++i) {
      const double e = static_cast<double>(binomial_count(generator, trials, p)) - mean;
      sum += e;
      squares += e * e;
    }
    EXPECT_NEAR(sum / n, 0, 5 * std::sqrt(variance / n)) << trials;
    EXPECT_NEAR(squares / n / variance, 1, 5 * std::sqrt(2.2 / n)) << trials;
  }
}

}  // namespace
}  // namespace polyad
