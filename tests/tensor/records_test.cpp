#include <polyad/base/error.hpp>
#include <polyad/cells.hpp>
#include <tensor/helpers.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace polyad {
namespace {

class RecordsOfModes : public testing::TestWithParam<std::tuple<std::size_t, bool>> {};

TEST_P(RecordsOfModes, KeepIndicesValuesAndWeights) {
  const auto [modes, weighted] = GetParam();
  Records records(modes, weighted);
  const auto index_at = [](std::size_t i, std::size_t k) { return static_cast<Index>(4294967295u - 31 * i - k); };
  for (std::size_t i = 0; i < 50; ++i) {
    std::vector<Index> cell(modes);
    for (std::size_t k = 0; k < modes; ++k) cell[k] = index_at(i, k);
    records.append(cell.data(), 0.1 * static_cast<double>(i) - 2, 1.0 / (1.0 + static_cast<double>(i)));
  }
  ASSERT_EQ(records.size(), 50u);
  for (std::size_t i = 0; i < 50; ++i) {
    for (std::size_t k = 0; k < modes; ++k) ASSERT_EQ(records.index(i)[k], index_at(i, k));
    EXPECT_EQ(records.value(i), 0.1 * static_cast<double>(i) - 2);
    EXPECT_EQ(records.weight(i), weighted ? 1.0 / (1.0 + static_cast<double>(i)) : 1.0);
  }
  EXPECT_EQ(records.record_bytes(), 8 * ((modes + 1) / 2) + 8 + (weighted ? 8 : 0));
}

INSTANTIATE_TEST_SUITE_P(AllModes, RecordsOfModes,
                         testing::Combine(testing::Values(1, 2, 3, 4, 5, 15, 16), testing::Bool()));

TEST(Records, AppendMayCopyFromItself) {
  Records records(3);
  const std::vector<Index> cell{7, 8, 9};
  records.append(cell.data(), 1.5);
  // Grows many times over, so that a reallocation happens under the pointer.
  for (int i = 0; i < 1000; ++i) records.append(records.index(records.size() - 1), 1.5);
  for (std::size_t i = 0; i < records.size(); ++i) ASSERT_THAT(records.cell(i), testing::ElementsAre(7, 8, 9));
}

TEST(Records, AppendAllOfOthers) {
  Records records = records_of(2, {{{0, 1}, 10}});
  Records others = records_of(2, {{{2, 3}, 20}, {{4, 5}, 30}});
  records.append(others);
  others.clear();
  EXPECT_EQ(others.size(), 0u);
  records.append(others);
  ASSERT_EQ(records.size(), 3u);
  EXPECT_THAT(records.cell(0), testing::ElementsAre(0, 1));
  EXPECT_THAT(records.cell(2), testing::ElementsAre(4, 5));
  EXPECT_EQ(records.value(1), 20);
  others.append(records.index(0), 1);
  EXPECT_THAT(others.cell(0), testing::ElementsAre(0, 1));
}

TEST(Records, MoveAndTruncateCompact) {
  Records records = records_of(2, {{{0, 1}, 10}, {{2, 3}, 20}, {{4, 5}, 30}});
  records.move(2, 0);
  records.truncate(2);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_THAT(records.cell(0), testing::ElementsAre(4, 5));
  EXPECT_EQ(records.value(0), 30);
  EXPECT_EQ(records.value(1), 20);
  records.truncate(5);  // longer than it is: nothing to do
  EXPECT_EQ(records.size(), 2u);
}

TEST(Records, WithWeightsAddsOnes) {
  const Records plain = records_of(3, {{{0, 1, 2}, 10}, {{3, 4, 5}, 20}});
  Records weighted = plain.with_weights();
  ASSERT_TRUE(weighted.weighted());
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(weighted.value(i), plain.value(i));
    EXPECT_EQ(weighted.weight(i), 1.0);
    EXPECT_TRUE(std::ranges::equal(weighted.cell(i), plain.cell(i)));
  }
  weighted.set_weight(1, 0.25);
  EXPECT_EQ(weighted.with_weights().weight(1), 0.25);
  EXPECT_EQ(weighted.value(1), 20);
}

TEST(Records, RefuseMoreModesThanATensorHas) {
  EXPECT_THAT(error_of([] { Records(17); }).what(), testing::HasSubstr("17 indices: a tensor has 1 to 16 modes"));
  EXPECT_EQ(error_of([] { Records(0); }).kind(), ErrorKind::data);
}

}  // namespace
}  // namespace polyad
