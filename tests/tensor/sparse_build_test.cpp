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

TEST(SparseBuild, SumsDuplicatesAndGroupsByTheLargestMode) {
  BuildReport report;
  const SparseTensor tensor(
      IndexSpace({3, 4}),
      records_of(2, {{{2, 3}, 1}, {{0, 0}, 2}, {{2, 3}, 4}, {{1, 1}, 8}, {{2, 3}, 16}, {{0, 0}, -1}}), Unlisted::zero,
      &report);
  ASSERT_EQ(tensor.listed(), 3u);
  EXPECT_EQ(tensor.grouping_mode(), 1u);
  EXPECT_THAT(tensor.records().cell(0), testing::ElementsAre(0, 0));
  EXPECT_THAT(tensor.records().cell(1), testing::ElementsAre(1, 1));
  EXPECT_THAT(tensor.records().cell(2), testing::ElementsAre(2, 3));
  EXPECT_EQ(tensor.records().value(0), 1);
  EXPECT_EQ(tensor.records().value(1), 8);
  EXPECT_EQ(tensor.records().value(2), 21);
  EXPECT_EQ(tensor.records_in(1, 4), std::pair(std::size_t{1}, std::size_t{3}));
  EXPECT_EQ(report.duplicates_summed, 3u);
  EXPECT_EQ(report.zeros_dropped, 0u);
  EXPECT_EQ(tensor.zeros(), 9);
  EXPECT_EQ(tensor.observed(), 12);
}

TEST(SparseBuild, KeepsTheOrderWithinAGroup) {
  const SparseTensor tensor(IndexSpace({3, 3}),
                            records_of(2, {{{2, 1}, 1}, {{0, 2}, 2}, {{2, 0}, 3}, {{0, 1}, 4}, {{2, 2}, 5}}));
  EXPECT_EQ(tensor.grouping_mode(), 0u);
  std::vector<double> values;
  for (std::size_t i = 0; i < tensor.listed(); ++i) values.push_back(tensor.records().value(i));
  EXPECT_THAT(values, testing::ElementsAre(2, 4, 1, 3, 5));
}

TEST(SparseBuild, DropsZerosWhereUnlistedCellsAreZeros) {
  const Records entries = records_of(1, {{{0}, 0}, {{1}, 5}, {{2}, 3}, {{2}, -3}, {{3}, -0.0}, {{4}, 7}});
  BuildReport report;
  const SparseTensor zero(IndexSpace({6}), entries, Unlisted::zero, &report);
  EXPECT_EQ(zero.listed(), 2u);
  EXPECT_EQ(report.zeros_dropped, 3u);
  EXPECT_EQ(report.duplicates_summed, 1u);
  EXPECT_EQ(zero.zeros(), 4);
  for (const auto& [cell, listed] : std::vector<std::pair<Index, std::uint32_t>>{
           {0, CellSet::absent}, {1, 0}, {2, CellSet::absent}, {3, CellSet::absent}, {4, 1}, {5, CellSet::absent}}) {
    EXPECT_EQ(zero.find(&cell), listed);
  }

  const SparseTensor missing(IndexSpace({6}), entries, Unlisted::missing);
  EXPECT_EQ(missing.listed(), 5u);
  EXPECT_EQ(missing.observed(), 5);
  EXPECT_EQ(missing.zeros(), 0);
  const Index second = 2;
  EXPECT_EQ(missing.records().value(missing.find(&second)), 0);
}

TEST(SparseBuild, WeightsKeepZerosListedAndMakeCellsMissing) {
  const Records entries = records_of(1, {{{0}, 0, 2}, {{1}, 5, 0}, {{2}, 3, 0.5}, {{2}, 1, 0.5}, {{1}, 4, 0}}, true);
  BuildReport report;
  const SparseTensor zero(IndexSpace({6}), entries, Unlisted::zero, &report);
  EXPECT_TRUE(zero.weighted());
  EXPECT_EQ(zero.listed(), 2u);
  EXPECT_EQ(report.duplicates_summed, 2u);
  EXPECT_EQ(report.weight_zero_dropped, 1u);
  EXPECT_EQ(report.zeros_dropped, 0u);
  EXPECT_EQ(zero.missing_cells(), 1u);
  EXPECT_EQ(zero.zeros(), 3);
  EXPECT_EQ(zero.observed(), 5);
  const Index first = 1;
  EXPECT_TRUE(zero.is_missing(&first));
  EXPECT_EQ(zero.find(&first), CellSet::absent);

  const SparseTensor missing(IndexSpace({6}), entries, Unlisted::missing);
  EXPECT_EQ(missing.listed(), 2u);
  EXPECT_EQ(missing.missing_cells(), 0u);
  EXPECT_EQ(missing.observed(), 2);
}

TEST(SparseBuild, CountsInASpaceOfTwoToThe90) {
  const IndexSpace space(std::vector<std::uint64_t>(6, 32768));
  const std::vector<Index> corner(6, 32767);
  const std::vector<Index> origin(6, 0);
  SparseTensor tensor(space, records_of(6, {{corner, 2}, {origin, 3}, {corner, 5}}));
  EXPECT_EQ(tensor.listed(), 2u);
  EXPECT_EQ(tensor.records().value(tensor.find(corner.data())), 7);
  EXPECT_EQ(tensor.records().value(tensor.find(origin.data())), 3);
  for (std::size_t k = 0; k < 6; ++k) {
    std::vector<Index> neighbour = corner;
    neighbour[k] = 0;
    EXPECT_EQ(tensor.find(neighbour.data()), CellSet::absent);
  }
  EXPECT_EQ(tensor.zeros(), 0x1p90);
  EXPECT_EQ(tensor.observed(), 0x1p90);
  tensor.set_missing(records_of(6, {{origin}, {{1, 2, 3, 4, 5, 6}}}));
  EXPECT_EQ(tensor.listed(), 1u);
  EXPECT_EQ(tensor.missing_cells(), 2u);
  EXPECT_TRUE(tensor.is_missing(origin.data()));
  tensor.set_zero_weight(0);
  EXPECT_EQ(tensor.observed(), 1);
}

TEST(SparseBuild, CountsExactlyUpTo64Bits) {
  // More than 2^53 cells: the difference of doubles would round twice.
  const std::uint64_t cells = 0x20000001ull * 0x1000001ull;
  const SparseTensor tensor(IndexSpace({0x20000001, 0x1000001}), records_of(2, {{{0, 0}, 1}, {{1, 0}, 1}}));
  ASSERT_NE(static_cast<double>(cells - 2), static_cast<double>(cells) - 2.0);
  EXPECT_EQ(tensor.zeros(), static_cast<double>(cells - 2));
}

TEST(SparseBuild, HoldsNoEntriesAndNoZeros) {
  const SparseTensor none(IndexSpace({3, 4}), Records(2));
  EXPECT_EQ(none.listed(), 0u);
  EXPECT_EQ(none.zeros(), 12);
  const std::vector<Index> cell{1, 1};
  EXPECT_EQ(none.find(cell.data()), CellSet::absent);
  EXPECT_FALSE(none.is_missing(cell.data()));

  const SparseTensor all(IndexSpace({2}), records_of(1, {{{0}, 1}, {{1}, 1}}));
  EXPECT_EQ(all.zeros(), 0);
  EXPECT_EQ(all.observed(), 2);
}

TEST(SparseBuild, ErrorsNameEntryAndCell) {
  const auto build = [](std::vector<Entry> entries, bool weighted = false) {
    return error_of([&] { SparseTensor(IndexSpace({3, 4}), records_of(2, entries, weighted)); });
  };
  const Error outside = build({{{0, 0}, 1}, {{2, 4}, 1}});
  EXPECT_EQ(outside.kind(), ErrorKind::data);
  EXPECT_STREQ(outside.what(),
               "entry 2 at cell (3, 5) (all counted from 1): index 5 of mode 2 is beyond the shape 3 x 4; enlarge the "
               "shape or fix the entry");
  EXPECT_THAT(build({{{0xffffffffu, 0}, 1}}).what(), HasSubstr("index 4294967296 of mode 1"));
  EXPECT_THAT(build({{{0, 0}, 1}, {{0, 1}, 1}, {{1, 2}, nan}}).what(),
              HasSubstr("entry 3 at cell (2, 3) (all counted from 1) has value nan"));
  EXPECT_THAT(build({{{1, 2}, -infinity}}).what(),
              HasSubstr("entry 1 at cell (2, 3) (all counted from 1) has value -inf"));
  EXPECT_THAT(build({{{1, 2}, 1, -0.5}}, true).what(),
              HasSubstr("entry 1 at cell (2, 3) (all counted from 1) has weight -0.5"));
  EXPECT_THAT(build({{{1, 2}, 1, nan}}, true).what(), HasSubstr("has weight nan"));
  EXPECT_THAT(build({{{1, 2}, 1, infinity}}, true).what(), HasSubstr("has weight inf"));
  EXPECT_THAT(build({{{1, 2}, 1, 1}, {{0, 0}, 1, 1}, {{1, 2}, 1, 2}}, true).what(),
              HasSubstr("entry 3 at cell (2, 3) (all counted from 1) has weight 2 but an earlier entry for "
                        "the same cell has 1"));
  EXPECT_THAT(build({{{1, 2}, 1e308}, {{1, 2}, 1e308}}).what(),
              HasSubstr("entry 2 at cell (2, 3) (all counted from 1): the sum of the entries for this cell overflows"));
  EXPECT_THAT(error_of([] {
                SparseTensor(IndexSpace({3, 4}), Records(3));
              }).what(),
              HasSubstr("entries have 3 indices but the tensor has 2 modes (3 x 4)"));
}

}  // namespace
}  // namespace polyad
