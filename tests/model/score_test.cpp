#include <polyad/base/error.hpp>
#include <polyad/model.hpp>
#include <polyad/model/compare.hpp>

#include "random_model.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

namespace polyad {
namespace {

using testing::random_model;

/// The best total over all ways to match as many rows as can be, by trying them all.
double best_total_by_trying(const std::vector<double>& profit, std::size_t rows, std::size_t cols) {
  const std::size_t most = std::max(rows, cols);
  std::vector<std::size_t> order(most);
  std::iota(order.begin(), order.end(), std::size_t{0});
  double best = -HUGE_VAL;
  do {
    double total = 0;
    for (std::size_t p = 0; p < std::min(rows, cols); ++p) {
      total += rows <= cols ? profit[p * cols + order[p]] : profit[order[p] * cols + p];
    }
    best = std::max(best, total);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

double total_of(const std::vector<std::size_t>& match, const std::vector<double>& profit, std::size_t cols) {
  double total = 0;
  for (std::size_t p = 0; p < match.size(); ++p) {
    if (match[p] != Score::npos) total += profit[p * cols + match[p]];
  }
  return total;
}

void expect_matching(const std::vector<std::size_t>& match, std::size_t rows, std::size_t cols) {
  ASSERT_EQ(match.size(), rows);
  std::vector<bool> used(cols, false);
  std::size_t matched = 0;
  for (const std::size_t q : match) {
    if (q == Score::npos) continue;
    ASSERT_LT(q, cols);
    EXPECT_FALSE(used[q]);
    used[q] = true;
    ++matched;
  }
  EXPECT_EQ(matched, std::min(rows, cols));
}

TEST(Assignment, EqualsTheBestOfAllPermutations) {
  std::mt19937_64 generator(5);
  std::uniform_real_distribution<double> real(-1, 1);
  std::uniform_int_distribution<int> whole(-2, 2);  // many ties
  for (std::size_t rows = 1; rows <= 6; ++rows) {
    for (std::size_t cols = 1; cols <= 6; ++cols) {
      for (int trial = 0; trial < 20; ++trial) {
        std::vector<double> profit(rows * cols);
        for (double& p : profit) p = trial % 2 == 0 ? real(generator) : whole(generator);
        const auto match = best_assignment(profit, rows, cols);
        expect_matching(match, rows, cols);
        EXPECT_NEAR(total_of(match, profit, cols), best_total_by_trying(profit, rows, cols), 1e-13)
            << rows << " x " << cols << " trial " << trial;
      }
    }
  }
}

TEST(Assignment, HandlesNothingToAssign) {
  EXPECT_TRUE(best_assignment({}, 0, 3).empty());
  EXPECT_THAT(best_assignment({}, 2, 0), ::testing::ElementsAre(Score::npos, Score::npos));
}

TEST(Assignment, RefusesWhatItCannotCompare) {
  EXPECT_THROW(best_assignment({1, 2, 3}, 2, 2), Error);
  EXPECT_THROW(best_assignment({1, NAN, 3, 4}, 2, 2), Error);
  EXPECT_THROW(best_assignment({1, HUGE_VAL, 3, 4}, 2, 2), Error);
}

TEST(Score, IsOneForTheSameModelInAnotherOrderScaleAndNormalisation) {
  const KTensor a = random_model({7, 6, 5}, 6, 61);
  KTensor b = a;
  normalize(b);
  resolve_signs(b);
  sort_by_size(b);
  const Score s = score(a, b);
  EXPECT_NEAR(s.value, 1, 1e-14);
  EXPECT_LE(s.value, 1);
  for (std::size_t j = 0; j < 6; ++j) {
    const double ratio = a.factors.at(0, 0, j) / b.factors.at(0, 0, s.match[j]);
    EXPECT_NEAR(a.factors.at(0, 3, j), ratio * b.factors.at(0, 3, s.match[j]), 1e-13);
  }
}

TEST(Score, EqualsTheDefinitionByTryingAllMatchings) {
  for (std::size_t ra = 1; ra <= 5; ++ra) {
    for (std::size_t rb = 1; rb <= 5; ++rb) {
      const KTensor a = random_model({6, 5, 4}, ra, 70, true);
      const KTensor b = random_model({6, 5, 4}, rb, 71, true);
      std::vector<double> product(ra * rb, 1.0);
      for (std::size_t p = 0; p < ra; ++p) {
        for (std::size_t q = 0; q < rb; ++q) {
          for (std::size_t k = 0; k < 3; ++k) {
            long double dot = 0, aa = 0, bb = 0;
            for (std::size_t i = 0; i < a.factors.rows(k); ++i) {
              const long double u = a.factors.at(k, i, p), v = b.factors.at(k, i, q);
              dot += u * v, aa += u * u, bb += v * v;
            }
            product[p * rb + q] *= static_cast<double>(dot / std::sqrt(aa * bb));
          }
        }
      }
      const Score s = score(a, b);
      expect_matching(s.match, ra, rb);
      EXPECT_NEAR(s.value, best_total_by_trying(product, ra, rb) / static_cast<double>(ra), 1e-14);
      ASSERT_EQ(s.cosines.size(), ra);
      for (std::size_t p = 0; p < ra; ++p) {
        EXPECT_NEAR(s.cosines[p], s.match[p] == Score::npos ? 0 : product[p * rb + s.match[p]], 1e-14);
      }
    }
  }
}

TEST(Score, FlipsInPairsDoNotMatterAndSingleOnesDo) {
  const KTensor a = random_model({7, 6, 5}, 1, 81);
  KTensor b = a;
  for (double& v : b.factors.mode_span(0)) v = -v;
  EXPECT_NEAR(score(a, b).value, -1, 1e-14);
  for (double& v : b.factors.mode_span(2)) v = -v;
  EXPECT_NEAR(score(a, b).value, 1, 1e-14);
  b.weights[0] = -b.weights[0];
  EXPECT_NEAR(score(a, b).value, -1, 1e-14);
}

TEST(Score, ZeroComponentsCountZero) {
  const KTensor a = random_model({7, 6, 5}, 2, 91, true);
  KTensor b = a;
  for (std::size_t i = 0; i < 6; ++i) b.factors.at(1, i, 1) = 0;
  EXPECT_NEAR(score(a, b).value, 0.5, 1e-14);
  EXPECT_NEAR(score(b, b).value, 0.5, 1e-14);
  KTensor c = a;
  c.weights[0] = 0;
  EXPECT_NEAR(score(a, c).value, 0.5, 1e-14);
  distribute_weights(c);
  EXPECT_NEAR(score(a, c).value, 0.5, 1e-14);
  EXPECT_EQ(score(KTensor(Factors({7, 6, 5}, 3)), a).value, 0);
}

TEST(Score, ExtremeScalesDoNotMatter) {
  const KTensor a = random_model({7, 6, 5}, 3, 92, true);
  KTensor b = a;
  for (const double scale : {1e-150, 1e150}) {
    for (std::size_t t = 0; t < a.factors.flat().size(); ++t) b.factors.flat()[t] = scale * a.factors.flat()[t];
    EXPECT_NEAR(score(a, b).value, 1, 1e-14) << scale;
  }
}

TEST(Score, RefusesOtherShapesAndNan) {
  const KTensor a = random_model({7, 6, 5}, 2, 93);
  try {
    score(a, random_model({7, 5, 6}, 2, 93));
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::usage);
    EXPECT_STREQ(e.what(), "score: the models have different shapes: 7 x 6 x 5 and 7 x 5 x 6");
  }
  KTensor b = a;
  b.factors.at(2, 1, 1) = NAN;
  try {
    score(a, b);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::data);
    EXPECT_THAT(e.what(), ::testing::HasSubstr("second model"));
  }
}

// Alike columns make the hardest assignments. The product takes under 0.1 s; the test allows for sanitizers.
TEST(Score, Rank200IsQuick) {
  const KTensor a = random_model({60, 50, 40}, 200, 95, true);
  const KTensor b = random_model({60, 50, 40}, 200, 96, true);
  const auto begin = std::chrono::steady_clock::now();
  const Score s = score(a, b);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  expect_matching(s.match, 200, 200);
  RecordProperty("milliseconds", static_cast<int>(1000 * seconds.count()));
  EXPECT_LT(seconds.count(), 2);
}

}  // namespace
}  // namespace polyad
