#include <polyad/base/error.hpp>
#include <polyad/base/rng.hpp>
#include <polyad/tensor/cell_set.hpp>
#include <tensor/helpers.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace polyad {
namespace {

Index below(Generator& draw, std::uint64_t n) {
  return static_cast<Index>(draw() % n);
}

TEST(CellSet, AnswersForEveryCellOfSmallSpaces) {
  Generator draw(RandomStream(3, Purpose::problem));
  for (const std::vector<std::uint64_t>& extents : std::vector<std::vector<std::uint64_t>>{
           {1}, {40}, {7, 9}, {1, 1, 1}, {5, 1, 6}, {4, 5, 3, 6}, {3, 2, 4, 2, 3}, {2, 2, 2, 2, 2, 2, 2}}) {
    for (const double density : {0.0, 0.05, 0.5, 1.0}) {
      Records records(extents.size());
      std::map<std::vector<Index>, std::uint32_t> oracle;
      for_each_cell(extents, [&](const std::vector<Index>& cell) {
        if (draw.unit() >= density) return;
        oracle[cell] = static_cast<std::uint32_t>(records.size());
        records.append(cell.data(), 1);
      });
      CellSet set(extents.size(), records.size());
      for (std::uint32_t i = 0; i < records.size(); ++i) ASSERT_EQ(set.insert(records, i), CellSet::absent);
      for (std::uint32_t i = 0; i < records.size(); ++i) ASSERT_EQ(set.insert(records, i), i);
      for_each_cell(extents, [&](const std::vector<Index>& cell) {
        const auto known = oracle.find(cell);
        set.prefetch(cell.data());
        ASSERT_EQ(set.find(records, cell.data()), known == oracle.end() ? CellSet::absent : known->second);
      });
    }
  }
}

TEST(CellSet, IsExactInASpaceOfTwoToThe90) {
  constexpr std::size_t modes = 6;
  Generator draw(RandomStream(4, Purpose::problem));
  Records records(modes);
  std::map<std::vector<Index>, std::uint32_t> oracle;
  while (records.size() < 20000) {
    std::vector<Index> cell(modes);
    for (auto& i : cell) i = below(draw, 32768);
    if (!oracle.emplace(cell, static_cast<std::uint32_t>(records.size())).second) continue;
    records.append(cell.data(), 1);
  }
  CellSet set(modes, records.size());
  for (std::uint32_t i = 0; i < records.size(); ++i) ASSERT_EQ(set.insert(records, i), CellSet::absent);
  for (const auto& [cell, number] : oracle) {
    ASSERT_EQ(set.find(records, cell.data()), number);
    // Neighbours differ in one mode: every mode must count, in its low and its high bits.
    for (std::size_t k = 0; k < modes; ++k) {
      for (const Index flip : {1u, 1u << 14}) {
        std::vector<Index> neighbour = cell;
        neighbour[k] ^= flip;
        const auto known = oracle.find(neighbour);
        ASSERT_EQ(set.find(records, neighbour.data()), known == oracle.end() ? CellSet::absent : known->second);
      }
    }
  }
}

// A poor hash would still answer rightly, but slowly: grids, diagonals and strides are what real tensors look
// like.
TEST(CellSet, StaysQuickOnRegularCells) {
  const auto fill = [](std::size_t modes, const auto& cell_of) {
    constexpr std::uint32_t count = 1 << 16;
    Records records(modes);
    std::vector<Index> cell(modes);
    for (std::uint32_t i = 0; i < count; ++i) {
      cell_of(i, cell);
      records.append(cell.data(), 1);
    }
    CellSet set(modes, count);
    for (std::uint32_t i = 0; i < count; ++i) set.insert(records, i);
    return set.longest_search();
  };
  // Half-full lines of 8 with random cells: longer than 6 lines happens less than once in a thousand tables.
  EXPECT_LE(fill(1, [](Index i, auto& c) { c[0] = i; }), 6u);
  EXPECT_LE(fill(1, [](Index i, auto& c) { c[0] = i << 16; }), 6u);
  EXPECT_LE(fill(2, [](Index i, auto& c) { c[0] = i >> 8, c[1] = i & 255; }), 6u);
  EXPECT_LE(fill(2, [](Index i, auto& c) { c[0] = (i >> 8) << 24, c[1] = (i & 255) << 24; }), 6u);
  EXPECT_LE(fill(3, [](Index i, auto& c) { c[0] = c[1] = c[2] = i; }), 6u);
  EXPECT_LE(
      fill(4, [](Index i, auto& c) { c[0] = i >> 12, c[1] = (i >> 8) & 15, c[2] = (i >> 4) & 15, c[3] = i & 15; }), 6u);
  EXPECT_LE(fill(16,
                 [](Index i, auto& c) {
                   for (std::size_t k = 0; k < 16; ++k) c[k] = (i >> k) & 1;
                 }),
            6u);
}

// These pairs of cells have equal fingerprints (found by search), and so small a set has one line only.
TEST(CellSet, ComparesCellsWhereFingerprintsAgree) {
  for (const auto& [one, other] : std::vector<std::pair<std::vector<Index>, std::vector<Index>>>{
           {{92, 419}, {105, 985}}, {{72, 771}, {135, 358}}, {{112, 208}, {156, 765}}}) {
    const Records records = records_of(2, {{one}, {other}});
    CellSet set(2, 2);
    EXPECT_EQ(set.insert(records, 0), CellSet::absent);
    EXPECT_EQ(set.find(records, other.data()), CellSet::absent);
    EXPECT_EQ(set.insert(records, 1), CellSet::absent);
    EXPECT_EQ(set.find(records, one.data()), 0u);
    EXPECT_EQ(set.find(records, other.data()), 1u);
  }
}

TEST(CellSet, EmptyOnesHoldNothing) {
  const Records none(2);
  const std::vector<Index> cell{0, 0};
  EXPECT_TRUE(CellSet().empty());
  EXPECT_EQ(CellSet().find(none, cell.data()), CellSet::absent);
  EXPECT_EQ(CellSet(2, 0).find(none, cell.data()), CellSet::absent);
}

TEST(CellSet, RefusesMoreRecordsThanNumbers) {
  const Error error = error_of([] { CellSet(3, 0xffffffffu); });
  EXPECT_EQ(error.kind(), ErrorKind::data);
  EXPECT_THAT(error.what(), testing::HasSubstr("4294967295 entries: a sparse tensor holds at most 4294967294"));
}

}  // namespace
}  // namespace polyad
