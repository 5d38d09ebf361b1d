#include <polyad/base/error.hpp>
#include <polyad/tensor/dense.hpp>
#include <tensor/helpers.hpp>

#include "special_values.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace polyad {
namespace {

using testing::HasSubstr;

DenseTensor counting(const std::vector<std::uint64_t>& extents) {
  const IndexSpace space(extents);
  AlignedVector<double> values(*space.exact_cells());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i) + 1;
  return DenseTensor(space, std::move(values));
}

TEST(DenseTensor, LastModeVariesFastest) {
  for (const std::vector<std::uint64_t>& extents :
       std::vector<std::vector<std::uint64_t>>{{5}, {3, 4}, {2, 1, 5}, {2, 3, 4, 5}}) {
    const DenseTensor tensor = counting(extents);
    std::uint64_t next = 0;
    for_each_cell(extents, [&](const std::vector<Index>& cell) {
      ASSERT_EQ(tensor.position(cell), next);
      std::vector<Index> back(cell.size());
      tensor.index_of(next, back);
      ASSERT_EQ(back, cell);
      ++next;
    });
    EXPECT_EQ(tensor.cells(), next);
    EXPECT_EQ(tensor.observed(), next);
    EXPECT_TRUE(tensor.observed_list().empty());
    EXPECT_FALSE(tensor.weighted());
    EXPECT_EQ(tensor.weight(0), 1.0);
  }
}

TEST(DenseTensor, NanIsMissing) {
  DenseTensor tensor(IndexSpace({2, 3}), {1, nan, 3, nan, 5, 6});
  EXPECT_EQ(tensor.observed(), 4u);
  EXPECT_TRUE(tensor.missing(1));
  EXPECT_FALSE(tensor.missing(2));
  const std::vector<std::uint64_t> more{1, 5, 5};
  tensor.set_missing(more);
  EXPECT_EQ(tensor.observed(), 3u);
  EXPECT_TRUE(tensor.missing(5));
}

TEST(DenseTensor, ListsObservedCellsOnlyWhereTheyAreFew) {
  const auto with_observed = [](std::size_t count) {
    AlignedVector<double> values(64, nan);
    for (std::size_t i = 0; i < count; ++i) values[63 - 7 * i] = 1;
    return DenseTensor(IndexSpace({8, 8}), std::move(values));
  };
  EXPECT_TRUE(with_observed(8).observed_list().empty());  // exactly 1/8
  EXPECT_THAT(with_observed(7).observed_list(), testing::ElementsAre(21, 28, 35, 42, 49, 56, 63));
  EXPECT_EQ(with_observed(0).observed(), 0u);
  EXPECT_TRUE(with_observed(0).observed_list().empty());
}

TEST(DenseTensor, WeightZeroIsMissing) {
  DenseTensor tensor = counting({2, 3});
  tensor.set_weights({1, 0, 0.5, 2, 1, 0});
  EXPECT_TRUE(tensor.weighted());
  EXPECT_EQ(tensor.observed(), 4u);
  EXPECT_TRUE(tensor.missing(1));
  EXPECT_EQ(tensor.weight(2), 0.5);
  // New weights replace the old ones; a missing cell stays missing.
  tensor.set_weights({3, 3, 3, 3, 3, 3});
  EXPECT_EQ(tensor.weight(2), 3);
  EXPECT_EQ(tensor.observed(), 4u);
}

TEST(DenseTensor, ErrorsNameTheCellAndChangeNothing) {
  const Error infinite = error_of([] { DenseTensor(IndexSpace({2, 3}), {1, 2, 3, 4, -infinity, 6}); });
  EXPECT_EQ(infinite.kind(), ErrorKind::data);
  EXPECT_THAT(infinite.what(), HasSubstr("cell (2, 2) (indices counted from 1) is -inf"));
  EXPECT_THAT(error_of([] {
                DenseTensor(IndexSpace({2, 3}), {1, 2});
              }).what(),
              HasSubstr("2 values given for a dense tensor of 2 x 3"));
  EXPECT_THAT(error_of([] { DenseTensor(IndexSpace(std::vector<std::uint64_t>(6, 32768)), {}); }).what(),
              HasSubstr("0 values given"));

  DenseTensor tensor = counting({2, 3});
  for (const double bad : {-1.0, nan, infinity}) {
    const Error error = error_of([&] { tensor.set_weights({0, 1, 1, bad, 1, 1}); });
    EXPECT_THAT(error.what(), HasSubstr("cell (2, 1) (indices counted from 1) has weight"));
  }
  EXPECT_THAT(error_of([&] { tensor.set_weights({1, 1}); }).what(), HasSubstr("2 weights given"));
  const std::vector<std::uint64_t> outside{0, 6};
  EXPECT_THAT(error_of([&] { tensor.set_missing(outside); }).what(),
              HasSubstr("missing cell number 2 is at position 6 but the tensor of 2 x 3 has only 6 cells"));
  EXPECT_EQ(tensor.observed(), 6u);
  EXPECT_FALSE(tensor.weighted());
}

}  // namespace
}  // namespace polyad
