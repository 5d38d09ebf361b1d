#include <polyad/base/error.hpp>
#include <polyad/base/exact_numbers.hpp>
#include <polyad/model.hpp>
#include <polyad/model/compare.hpp>

#include "random_model.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace polyad {
namespace {

using testing::all_values;
using testing::for_each_cell;
using testing::random_model;
using testing::value_by_definition;

TEST(KTensor, ValueFollowsTheDefinition) {
  for (const std::size_t rank : {1u, 2u, 7u}) {
    const KTensor model = random_model({4, 1, 3, 2}, rank, 11);
    for_each_cell(model.factors.extents(), [&](const std::vector<Index>& index) {
      EXPECT_NEAR(value_at(model, index), static_cast<double>(value_by_definition(model, index)), 1e-15);
    });
  }
}

TEST(KTensor, ValueKeepsSmallTermsBesideLargeOnesThatCancel) {
  KTensor model(Factors({1, 1}, 3));
  for (std::size_t k = 0; k < 2; ++k) {
    for (std::size_t j = 0; j < 3; ++j) model.factors.at(k, 0, j) = 1;
  }
  model.weights = {1e20, 1, -1e20};
  EXPECT_EQ(value_at(model, std::vector<Index>{0, 0}), 1.0);
}

TEST(KTensor, InnerProductAndNormEqualSumsOverAllCells) {
  for (const auto& extents : {std::vector<std::uint64_t>{5}, {4, 3}, {5, 4, 3}, {3, 1, 4, 2}}) {
    for (const std::size_t rank : {1u, 3u, 6u}) {
      const KTensor a = random_model(extents, rank, 1);
      const KTensor b = random_model(extents, rank + 2, 2);
      const auto x = all_values(a);
      const auto y = all_values(b);
      long double dot = 0;
      long double square = 0;
      for (std::size_t t = 0; t < x.size(); ++t) {
        dot += static_cast<long double>(x[t]) * y[t];
        square += static_cast<long double>(x[t]) * x[t];
      }
      EXPECT_NEAR(inner_product(a, b), static_cast<double>(dot), 1e-13 * norm(a) * norm(b));
      EXPECT_EQ(inner_product(a, b), inner_product(b, a));
      EXPECT_NEAR(norm(a), std::sqrt(static_cast<double>(square)), 1e-14 * norm(a));
    }
  }
}

TEST(KTensor, NormOfComponentsThatCancelIsNotNan) {
  KTensor model = random_model({6, 5, 4}, 1, 3);
  KTensor twice(Factors(model.factors.extents(), 2));
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < model.factors.rows(k); ++i) {
      twice.factors.at(k, i, 0) = twice.factors.at(k, i, 1) = model.factors.at(k, i, 0);
    }
  }
  twice.weights = {1.0, -1.0};
  EXPECT_NEAR(norm(twice), 0, 1e-7 * norm(model));
}

TEST(KTensor, GramOfAManyRowedModeKeepsItsAccuracy) {
  // 0.1 a million times: plain summation is off by 1e-12 relative, the blocked sum is not.
  const std::size_t n = 1000000;
  Factors f({n, 1}, 1);
  for (double& v : f.mode_span(0)) v = 0.1;
  const double exact = static_cast<double>(static_cast<long double>(0.1) * static_cast<long double>(0.1) * n);
  EXPECT_NEAR(cross_gram(f, f, 0)[0], exact, 2e-14 * exact);
}

TEST(KTensor, InnerProductOfDifferentShapesIsAnError) {
  const KTensor a = random_model({2, 3}, 1, 1);
  const KTensor b = random_model({3, 2}, 1, 1);
  try {
    inner_product(a, b);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::usage);
    EXPECT_STREQ(e.what(), "inner product of models of different shapes: 2 x 3 and 3 x 2");
  }
}

TEST(ValuesAt, PredictsAListOfCells) {
  const KTensor model = random_model({4, 3, 5}, 6, 9);
  Records cells(3);
  for_each_cell(model.factors.extents(), [&](const std::vector<Index>& index) { cells.append(index.data(), 42); });
  const auto predicted = values_at(model, cells);
  const auto expected = all_values(model);
  ASSERT_EQ(predicted.size(), expected.size());
  for (std::size_t t = 0; t < expected.size(); ++t) EXPECT_NEAR(predicted[t], expected[t], 1e-15);
}

TEST(ValuesAt, NamesTheCellThatTheModelDoesNotHave) {
  const KTensor model = random_model({4, 3, 5}, 2, 9);
  Records cells(3);
  const Index inside[] = {3, 2, 4};
  const Index outside[] = {0, 3, 0};
  cells.append(inside, 0);
  cells.append(outside, 0);
  try {
    values_at(model, cells);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::data);
    EXPECT_STREQ(e.what(), "cell 2: index 4 in mode 2 is beyond the model's 3 (counted from 1)");
  }
  EXPECT_THROW(values_at(model, Records(2)), Error);
}

TEST(CompensatedSum, IsExactWhereAPlainSumIsNot) {
  CompensatedSum sum;
  for (const double v : {1.0, 1e100, 1.0, -1e100}) sum.add(v);
  EXPECT_EQ(sum.value(), 2.0);
}

TEST(CompensatedSum, ShowsOverflowAndNan) {
  CompensatedSum over;
  over.add(1e308);
  over.add(1e308);
  EXPECT_EQ(over.value(), HUGE_VAL);
  CompensatedSum nan;
  nan.add(1);
  nan.add(NAN);
  nan.add(1);
  EXPECT_TRUE(std::isnan(nan.value()));
}

}  // namespace
}  // namespace polyad
