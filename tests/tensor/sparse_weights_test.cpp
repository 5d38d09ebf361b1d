#include <polyad/base/error.hpp>
#include <polyad/tensor/sparse.hpp>
#include <tensor/helpers.hpp>

#include "special_values.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace polyad {
namespace {

using testing::HasSubstr;

SparseTensor three_of_ten(Unlisted unlisted = Unlisted::zero) {
  return SparseTensor(IndexSpace({10}), records_of(1, {{{1}, 10}, {{5}, 50}, {{7}, 70}}), unlisted);
}

TEST(SparseMask, WinsOverListedValuesAndCountsACellOnce) {
  SparseTensor tensor = three_of_ten();
  BuildReport report;
  tensor.set_missing(records_of(1, {{{5}}, {{2}}, {{5}}, {{2}}}), &report);
  EXPECT_EQ(report.masked_dropped, 1u);
  EXPECT_EQ(tensor.listed(), 2u);
  EXPECT_EQ(tensor.missing_cells(), 2u);
  EXPECT_EQ(tensor.zeros(), 6);
  EXPECT_EQ(tensor.observed(), 8);
  tensor.set_missing(records_of(1, {{{2}}, {{3}}}), &report);
  EXPECT_EQ(tensor.missing_cells(), 3u);
  EXPECT_EQ(tensor.zeros(), 5);
  EXPECT_EQ(report.masked_dropped, 1u);
}

TEST(SparseMask, OnlyDropsWhereUnlistedCellsAreMissing) {
  SparseTensor tensor = three_of_ten(Unlisted::missing);
  tensor.set_missing(records_of(1, {{{5}}, {{2}}}));
  EXPECT_EQ(tensor.listed(), 2u);
  EXPECT_EQ(tensor.missing_cells(), 0u);
  EXPECT_EQ(tensor.observed(), 2);
}

TEST(SparseMask, MayHideEverything) {
  SparseTensor tensor = three_of_ten();
  Records all(1);
  for (Index i = 0; i < 10; ++i) all.append(&i, 0);
  tensor.set_missing(all);
  EXPECT_EQ(tensor.observed(), 0);
  EXPECT_EQ(tensor.zeros(), 0);
  EXPECT_EQ(tensor.listed(), 0u);
}

TEST(SparseMask, RefusesCellsOutsideTheShapeAndChangesNothing) {
  SparseTensor tensor = three_of_ten();
  EXPECT_THAT(error_of([&] {
                tensor.set_missing(records_of(1, {{{5}}, {{10}}}));
              }).what(),
              HasSubstr("entry 2 at cell (11) (all counted from 1): index 11 of mode 1 is beyond the shape 10"));
  EXPECT_EQ(tensor.listed(), 3u);
  EXPECT_EQ(tensor.observed(), 10);
}

TEST(SparseWeights, ListZerosThatHaveTheirOwn) {
  SparseTensor tensor = three_of_ten();
  BuildReport report;
  tensor.set_weights(records_of(1, {{{5}, 0.5}, {{2}, 3}, {{1}, 0}, {{3}, 0}, {{2}, 3}}), &report);
  EXPECT_TRUE(tensor.weighted());
  EXPECT_EQ(tensor.listed(), 3u);  // 5, 7 and now 2
  EXPECT_EQ(tensor.missing_cells(), 2u);
  EXPECT_EQ(tensor.zeros(), 5);
  EXPECT_EQ(report.weight_zero_dropped, 1u);
  const Index second = 2;
  const Index fifth = 5;
  const Index seventh = 7;
  EXPECT_EQ(tensor.records().value(tensor.find(&second)), 0);
  EXPECT_EQ(tensor.records().weight(tensor.find(&second)), 3);
  EXPECT_EQ(tensor.records().weight(tensor.find(&fifth)), 0.5);
  EXPECT_EQ(tensor.records().weight(tensor.find(&seventh)), 1);
}

TEST(SparseWeights, IgnoreMissingCells) {
  SparseTensor listed_only = three_of_ten(Unlisted::missing);
  listed_only.set_weights(records_of(1, {{{2}, 3}, {{5}, 2}}));
  EXPECT_EQ(listed_only.listed(), 3u);
  SparseTensor masked = three_of_ten();
  masked.set_missing(records_of(1, {{{2}}}));
  masked.set_weights(records_of(1, {{{2}, 3}}));
  EXPECT_EQ(masked.listed(), 3u);
  EXPECT_EQ(masked.missing_cells(), 1u);
}

TEST(SparseWeights, ErrorsNameTheEntryAndChangeNothing) {
  SparseTensor tensor = three_of_ten();
  EXPECT_THAT(error_of([&] {
                tensor.set_weights(records_of(1, {{{5}, 1}, {{2}, -1}}));
              }).what(),
              HasSubstr("entry 2 at cell (3) (all counted from 1) has weight -1: weights must be finite"));
  EXPECT_THAT(error_of([&] { tensor.set_weights(records_of(1, {{{5}, nan}})); }).what(), HasSubstr("has weight nan"));
  EXPECT_THAT(error_of([&] {
                tensor.set_weights(records_of(1, {{{5}, 1}, {{5}, 2}}));
              }).what(),
              HasSubstr("entry 2 at cell (6) (all counted from 1) has weight 2 but an earlier entry"));
  EXPECT_FALSE(tensor.weighted());
  EXPECT_EQ(tensor.listed(), 3u);
}

TEST(SparseZeroWeight, IsSharedByAllUnlistedZeros) {
  SparseTensor tensor = three_of_ten();
  EXPECT_EQ(tensor.zero_weight(), 1);
  EXPECT_FALSE(tensor.weighted());
  tensor.set_zero_weight(0.1);
  EXPECT_EQ(tensor.zero_weight(), 0.1);
  EXPECT_TRUE(tensor.weighted());
  EXPECT_EQ(tensor.zeros(), 7);
}

TEST(SparseZeroWeight, ZeroMakesUnlistedCellsMissing) {
  SparseTensor tensor = three_of_ten();
  tensor.set_missing(records_of(1, {{{2}}}));
  tensor.set_zero_weight(0);
  EXPECT_EQ(tensor.unlisted(), Unlisted::missing);
  EXPECT_EQ(tensor.zeros(), 0);
  EXPECT_EQ(tensor.observed(), 3);
  EXPECT_EQ(tensor.missing_cells(), 0u);
  EXPECT_FALSE(tensor.weighted());
}

TEST(SparseZeroWeight, RefusesWhatHasNoMeaning) {
  SparseTensor tensor = three_of_ten();
  for (const double bad : {-1.0, nan, std::numeric_limits<double>::infinity()}) {
    const Error error = error_of([&] { tensor.set_zero_weight(bad); });
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_THAT(error.what(), HasSubstr("the weight of zeros must be finite and at least 0"));
  }
  SparseTensor listed_only = three_of_ten(Unlisted::missing);
  listed_only.set_zero_weight(1);
  listed_only.set_zero_weight(0);
  EXPECT_THAT(error_of([&] { listed_only.set_zero_weight(0.5); }).what(),
              HasSubstr("has no meaning where unlisted cells are missing"));
}

}  // namespace
}  // namespace polyad
