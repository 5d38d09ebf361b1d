#include <polyad/base/error.hpp>
#include <polyad/model.hpp>

#include "random_model.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace polyad {
namespace {

using testing::all_values;
using testing::random_model;

void expect_same_values(const KTensor& a, const KTensor& b) {
  const auto x = all_values(a);
  const auto y = all_values(b);
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t t = 0; t < x.size(); ++t) EXPECT_NEAR(x[t], y[t], 1e-14 * (1 + std::abs(x[t])));
}

void expect_padding_zero(const KTensor& model) {
  Factors cleared = model.factors;
  cleared.clear_padding();
  EXPECT_EQ(cleared, model.factors);
}

double column_norm(const KTensor& model, std::size_t k, std::size_t j, ColumnNorm norm) {
  long double sum = 0;
  for (std::size_t i = 0; i < model.factors.rows(k); ++i) {
    const long double v = std::abs(model.factors.at(k, i, j));
    sum += norm == ColumnNorm::one ? v : v * v;
  }
  return static_cast<double>(norm == ColumnNorm::one ? sum : std::sqrt(sum));
}

double largest_entry(const KTensor& model, std::size_t k, std::size_t j) {
  double largest = 0;
  for (std::size_t i = 0; i < model.factors.rows(k); ++i) {
    if (std::abs(model.factors.at(k, i, j)) > std::abs(largest)) largest = model.factors.at(k, i, j);
  }
  return largest;
}

TEST(Normalize, GivesUnitColumnsAndTheSameModel) {
  for (const auto norm : {ColumnNorm::one, ColumnNorm::two}) {
    const KTensor before = random_model({7, 4, 5}, 5, 21);
    KTensor after = before;
    normalize(after, norm);
    for (std::size_t j = 0; j < 5; ++j) {
      for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(column_norm(after, k, j, norm), 1, 1e-15 * 7);
      EXPECT_EQ(std::signbit(after.weights[j]), std::signbit(before.weights[j]));
    }
    expect_same_values(before, after);
    expect_padding_zero(after);
  }
}

TEST(Normalize, PutsWeightsIntoAModeOnRequest) {
  for (std::size_t mode = 0; mode < 3; ++mode) {
    const KTensor before = random_model({7, 4, 5}, 3, 22);
    KTensor after = before;
    normalize(after, ColumnNorm::two, mode);
    EXPECT_THAT(after.weights, ::testing::Each(1.0));
    for (std::size_t k = 0; k < 3; ++k) {
      if (k == mode) continue;
      EXPECT_NEAR(column_norm(after, k, 0, ColumnNorm::two), 1, 1e-14);
    }
    expect_same_values(before, after);
  }
  KTensor model = random_model({2, 2}, 1, 1);
  try {
    normalize(model, ColumnNorm::two, 2);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::usage);
    EXPECT_STREQ(e.what(), "normalize: there is no mode 3, the model has 2 (modes counted from 1)");
  }
}

TEST(Normalize, ZeroColumnStaysZeroWithWeightZero) {
  KTensor model = random_model({3, 4}, 2, 23);
  for (std::size_t i = 0; i < 4; ++i) model.factors.at(1, i, 0) = 0;
  const KTensor before = model;
  normalize(model);
  EXPECT_EQ(model.weights[0], 0);
  EXPECT_EQ(column_norm(model, 1, 0, ColumnNorm::two), 0);
  EXPECT_TRUE(model.factors.all_finite());
  expect_same_values(before, model);
}

TEST(Normalize, ExtremeEntriesNeitherOverflowNorVanish) {
  for (const double size : {1e200, 1e-200, 1e-310}) {
    KTensor model = random_model({5, 4}, 1, 24);
    for (double& v : model.factors.mode_span(0)) v *= size;
    normalize(model);
    EXPECT_NEAR(column_norm(model, 0, 0, ColumnNorm::two), 1, 1e-14);
    EXPECT_GT(std::abs(model.weights[0]), 0);
    EXPECT_TRUE(std::isfinite(model.weights[0]));
  }
}

TEST(Normalize, NanIsNotHidden) {
  KTensor model = random_model({5, 4}, 2, 25);
  model.factors.at(0, 3, 1) = std::numeric_limits<double>::quiet_NaN();
  normalize(model);
  EXPECT_TRUE(std::isnan(model.weights[1]));
  EXPECT_TRUE(std::isfinite(model.weights[0]));
}

TEST(ResolveSigns, LeavesAtMostOneNegativeModeAndTheSameModel) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const KTensor before = random_model({5, 4, 3, 2}, 6, seed);
    KTensor after = before;
    resolve_signs(after);
    for (std::size_t j = 0; j < 6; ++j) {
      EXPECT_GE(after.weights[j], 0);
      int negative = 0;
      for (std::size_t k = 0; k < 4; ++k) negative += largest_entry(after, k, j) < 0;
      EXPECT_LE(negative, 1);
    }
    expect_same_values(before, after);
    expect_padding_zero(after);
    KTensor again = after;
    resolve_signs(again);
    EXPECT_EQ(again, after);
  }
}

TEST(ResolveSigns, PutsANegativeComponentWhereSignsAreMixed) {
  KTensor model(Factors({2, 2, 2}, 1));
  const double columns[3][2] = {{-1, -2}, {3, -2.5}, {1, 4}};
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < 2; ++i) model.factors.at(k, i, 0) = columns[k][i];
  }
  resolve_signs(model);
  EXPECT_EQ(model.factors.at(0, 0, 0), 1);
  EXPECT_EQ(model.factors.at(1, 0, 0), -3);
  EXPECT_EQ(model.factors.at(1, 1, 0), 2.5);
  EXPECT_EQ(model.factors.at(2, 1, 0), 4);
}

TEST(ResolveSigns, IsStableForTiesAndZeroColumns) {
  KTensor model(Factors({2, 2, 2}, 2));
  model.weights = {-2, 1};
  for (std::size_t k = 0; k < 3; ++k) {
    model.factors.at(k, 0, 0) = -1;
    model.factors.at(k, 1, 0) = 1;
  }
  const auto before = model;
  resolve_signs(model);
  expect_same_values(before, model);
  const auto once = model;
  resolve_signs(model);
  EXPECT_EQ(model, once);
  for (const double v : model.factors.flat()) EXPECT_FALSE(v == 0 && std::signbit(v)) << "a zero printed as -0";
}

TEST(ResolveSigns, NonnegativeModelIsUntouched) {
  KTensor model = random_model({5, 4, 3}, 3, 5, true);
  const KTensor before = model;
  resolve_signs(model);
  EXPECT_EQ(model, before);
}

TEST(SortBySize, OrdersComponentsAndKeepsTies) {
  KTensor model = random_model({4, 3}, 5, 31);
  normalize(model);
  model.weights = {2, -7, 5, 2, std::numeric_limits<double>::quiet_NaN()};
  const KTensor before = model;
  const std::vector<std::size_t> order = sort_by_size(model);
  EXPECT_THAT(order, ::testing::ElementsAre(1, 2, 0, 3, 4));
  for (std::size_t j = 0; j < 5; ++j) {
    for (std::size_t k = 0; k < 2; ++k) {
      for (std::size_t i = 0; i < model.factors.rows(k); ++i) {
        EXPECT_EQ(model.factors.at(k, i, j), before.factors.at(k, i, order[j]));
      }
    }
  }
  expect_padding_zero(model);
  ASSERT_TRUE(std::isnan(model.weights[4]));
  model.weights.pop_back();
  EXPECT_THAT(model.weights, ::testing::ElementsAre(-7, 5, 2, 2));
}

// By definition, cell by cell.
TEST(ComponentSizes, AreSumsOverAllCellsOrNorms) {
  for (const bool nonnegative : {true, false}) {
    const KTensor model = random_model({5, 4, 3}, 4, 71, nonnegative);
    const std::vector<double> sizes = component_sizes(model);
    for (std::size_t j = 0; j < model.rank(); ++j) {
      double sum = 0, squares = 0;
      for (std::size_t a = 0; a < 5; ++a) {
        for (std::size_t b = 0; b < 4; ++b) {
          for (std::size_t c = 0; c < 3; ++c) {
            const double value =
                model.weights[j] * model.factors.at(0, a, j) * model.factors.at(1, b, j) * model.factors.at(2, c, j);
            sum += value;
            squares += value * value;
          }
        }
      }
      EXPECT_NEAR(sizes[j], nonnegative ? sum : std::sqrt(squares), 1e-12 * (1 + sizes[j]));
    }
  }
}

// Spread thinly over many cells, or in one: the sums say the first, norms would say the second.
TEST(ComponentSizes, OfCountsDoNotFavourPeaks) {
  KTensor model(Factors({100, 2}, 2));
  model.factors.at(0, 0, 0) = 30, model.factors.at(1, 0, 0) = 1;
  for (std::size_t i = 0; i < 100; ++i) model.factors.at(0, i, 1) = 1;
  model.factors.at(1, 1, 1) = 1;
  EXPECT_THAT(component_sizes(model), ::testing::ElementsAre(30, 100));
  EXPECT_THAT(sort_by_size(model), ::testing::ElementsAre(1, 0));
}

TEST(DistributeWeights, SpreadsThemEvenly) {
  const KTensor before = random_model({5, 4, 3}, 5, 41);
  KTensor after = before;
  distribute_weights(after);
  EXPECT_THAT(after.weights, ::testing::Each(1.0));
  expect_same_values(before, after);
  for (std::size_t j = 0; j < 5; ++j) {
    const double root = std::cbrt(std::abs(before.weights[j]));
    for (std::size_t k = 0; k < 3; ++k) {
      const double expected = (k == 0 && before.weights[j] < 0 ? -root : root) * before.factors.at(k, 1, j);
      EXPECT_NEAR(after.factors.at(k, 1, j), expected, 1e-14);
    }
  }
}

TEST(Arrange, TheWholeChainKeepsTheModel) {
  const KTensor before = random_model({6, 5, 4}, 7, 51);
  KTensor after = before;
  normalize(after);
  resolve_signs(after);
  sort_by_size(after);
  EXPECT_TRUE(std::is_sorted(after.weights.rbegin(), after.weights.rend()));
  expect_same_values(before, after);
  distribute_weights(after);
  expect_same_values(before, after);
}

}  // namespace
}  // namespace polyad
