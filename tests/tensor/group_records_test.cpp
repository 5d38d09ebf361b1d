#include <polyad/base/rng.hpp>
#include <polyad/tensor/group_records.hpp>
#include <tensor/helpers.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace polyad {
namespace {

// Few and many groups: both ways of sorting; the value tells where a record stood.
TEST(GroupRecords, SortsStably) {
  Generator draw(RandomStream(7, Purpose::problem));
  for (const bool weighted : {false, true}) {
    for (const std::uint64_t extent : {1u, 2u, 7u, 500u, 501u, 4'000'000'000u}) {
      for (std::size_t mode = 0; mode < 3; ++mode) {
        std::vector<Entry> entries(500);
        for (std::size_t i = 0; i < entries.size(); ++i) {
          for (std::size_t k = 0; k < 3; ++k) {
            entries[i].cell.push_back(static_cast<Index>(draw() % (k == mode ? extent : 10)));
          }
          entries[i].value = static_cast<double>(i);
          entries[i].weight = weighted ? static_cast<double>(draw() % 10) : 1;
        }
        Records records = records_of(3, entries, weighted);
        std::ranges::stable_sort(entries, {}, [&](const Entry& entry) { return entry.cell[mode]; });
        EXPECT_EQ(group_records(records, mode, extent), extent > 1);
        ASSERT_EQ(records.size(), entries.size());
        for (std::size_t i = 0; i < entries.size(); ++i) {
          ASSERT_TRUE(std::ranges::equal(records.cell(i), entries[i].cell));
          ASSERT_EQ(records.value(i), entries[i].value);
          ASSERT_EQ(records.weight(i), entries[i].weight);
        }
        EXPECT_FALSE(group_records(records, mode, extent));
      }
    }
  }
}

TEST(GroupRecords, RangesHoldWhatTheyShould) {
  const Records records = records_of(2, {{{9, 0}}, {{3, 2}}, {{1, 2}}, {{5, 2}}, {{0, 3}}, {{7, 6}}});
  for (std::uint64_t begin = 0; begin <= 8; ++begin) {
    for (std::uint64_t end = 0; end <= 8; ++end) {
      const auto [first, last] = grouped_range(records, 1, begin, end);
      std::size_t inside = 0;
      for (std::size_t i = 0; i < records.size(); ++i) {
        const Index index = records.index(i)[1];
        const bool expected = index >= begin && index < end;
        inside += expected ? 1 : 0;
        ASSERT_EQ(i >= first && i < last, expected) << begin << " to " << end;
      }
      ASSERT_EQ(last - first, inside);
    }
  }
  EXPECT_EQ(grouped_range(Records(2), 1, 0, 8), std::pair(std::size_t{0}, std::size_t{0}));
}

TEST(GroupRecords, LargestModeIsTheFirstOfEquals) {
  EXPECT_EQ(largest_mode(IndexSpace({3})), 0u);
  EXPECT_EQ(largest_mode(IndexSpace({3, 7, 2, 7})), 1u);
  EXPECT_EQ(largest_mode(IndexSpace({3, 7, 9})), 2u);
}

}  // namespace
}  // namespace polyad
