#include <polyad/base/rng.hpp>
#include <polyad/tensor/listed_set.hpp>
#include <tensor/helpers.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

namespace polyad {
namespace {

using Cells = std::set<std::vector<Index>>;

constexpr std::array all_tables{ListedKind::bitmap, ListedKind::quotient16, ListedKind::quotient32};

Records records_of_cells(std::size_t modes, const Cells& cells) {
  Records records(modes);
  for (const auto& cell : cells) records.append(cell.data(), 1);
  return records;
}

// Both ways to ask, against the oracle.
void expect_answers(const ListedSet& set, const Cells& cells, const std::vector<std::vector<Index>>& questions) {
  ASSERT_FALSE(questions.empty());
  const std::size_t modes = questions[0].size();
  const std::size_t first = 3;  // a beginning that is not the arrays' own
  std::vector<std::vector<Index>> columns(modes, std::vector<Index>(first, 0xffffffffu));
  for (const auto& cell : questions) {
    for (std::size_t k = 0; k < modes; ++k) columns[k].push_back(cell[k]);
  }
  std::vector<const Index*> index;
  for (const auto& column : columns) index.push_back(column.data());
  std::vector<std::uint8_t> flags(questions.size() + 1, 77);
  set.flags(index.data(), first, questions.size(), flags.data());
  for (std::size_t t = 0; t < questions.size(); ++t) {
    const bool known = cells.contains(questions[t]);
    set.prefetch(questions[t].data());
    ASSERT_EQ(set.contains(questions[t].data()), known) << cell_text(questions[t]);
    ASSERT_EQ(flags[t], known ? 1 : 0) << cell_text(questions[t]);
  }
  EXPECT_EQ(flags.back(), 77);
}

// Every cell of the set, its neighbours in every mode, and cells at random.
std::vector<std::vector<Index>> questions_for(const IndexSpace& space, const Cells& cells, Generator& draw) {
  std::vector<std::vector<Index>> questions(cells.begin(), cells.end());
  for (const auto& cell : cells) {
    for (std::size_t k = 0; k < space.modes(); ++k) {
      for (const std::uint64_t step : {std::uint64_t{1}, space.extent(k) / 2, space.extent(k) - 1}) {
        questions.push_back(cell);
        questions.back()[k] = static_cast<Index>((cell[k] + step) % space.extent(k));
      }
    }
  }
  for (int i = 0; i < 1000; ++i) {
    questions.emplace_back();
    for (const std::uint64_t n : space.extents()) questions.back().push_back(static_cast<Index>(draw() % n));
  }
  return questions;
}

TEST(ListedSet, AnswersForEveryCellOfSmallSpaces) {
  Generator draw(RandomStream(3, Purpose::problem));
  for (const std::vector<std::uint64_t>& extents :
       std::vector<std::vector<std::uint64_t>>{{1},
                                               {2},
                                               {40},
                                               {63},
                                               {64},
                                               {65},
                                               {4097},
                                               {7, 9},
                                               {1, 1, 1},
                                               {5, 1, 6},
                                               {4, 5, 3, 6},
                                               {3, 2, 4, 2, 3},
                                               {2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 1, 2, 1, 1, 3}}) {
    std::vector<std::vector<Index>> questions;
    for_each_cell(extents, [&](const std::vector<Index>& cell) { questions.push_back(cell); });
    for (const double density : {0.0, 0.05, 0.5, 1.0}) {
      Cells cells;
      for (const auto& cell : questions) {
        if (draw.unit() < density) cells.insert(cell);
      }
      for (const ListedKind kind : all_tables) {
        ListedSet set(IndexSpace(extents), cells.size(), kind);
        ASSERT_EQ(set.kind(), kind);
        ASSERT_TRUE(set.insert(records_of_cells(extents.size(), cells)));
        expect_answers(set, cells, questions);
      }
    }
  }
}

TEST(ListedSet, IsExactInLargerSpacesOfAnyModes) {
  Generator draw(RandomStream(4, Purpose::problem));
  for (std::size_t modes = 1; modes <= max_modes; ++modes) {
    // Odd, even and prime extents, up to about 2^20, 2^31 and 2^44 cells.
    for (const double bits : {20.0, 31.0, 44.0}) {
      std::vector<std::uint64_t> extents(modes);
      for (std::size_t k = 0; k < modes; ++k) {
        extents[k] = static_cast<std::uint64_t>(std::exp2(bits / static_cast<double>(modes))) + k % 3;
        extents[k] = std::min<std::uint64_t>(extents[k], max_held_extent);
      }
      const IndexSpace space(extents);
      Cells cells;
      while (cells.size() < 600) {
        std::vector<Index> cell(modes);
        for (std::size_t k = 0; k < modes; ++k) cell[k] = static_cast<Index>(draw() % extents[k]);
        cells.insert(cell);
      }
      const auto questions = questions_for(space, cells, draw);
      std::size_t kinds = 0;
      for (const ListedKind kind : all_tables) {
        // 2^31 bits are too many, and so are the buckets that would leave 15 of 44 bits.
        if (kind == ListedKind::bitmap && bits > 20.0) continue;
        if (kind == ListedKind::quotient16 && bits > 31.0) continue;
        ListedSet set(space, cells.size(), kind);
        if (set.kind() != kind) continue;
        ++kinds;
        ASSERT_TRUE(set.insert(records_of_cells(modes, cells)));
        expect_answers(set, cells, questions);
      }
      EXPECT_EQ(kinds, bits == 20.0 ? 3u : bits == 31.0 ? 2u : 1u);
    }
  }
}

// 1 / n modulo 2^64 for odd n: each step doubles the number of right bits.
std::uint64_t inverse(std::uint64_t n) {
  std::uint64_t x = n;
  for (int step = 0; step < 6; ++step) x *= 2 - n * x;
  return x;
}

// Grids, blocks, diagonals and arithmetic progressions: the mixing must spread them as well as random cells, of which a
// quotient table keeps less than 1 in 100 outside their bucket (16 bits) and 1 in 40 (32 bits).
TEST(ListedSet, SpreadsRegularCells) {
  struct Case {
    std::vector<std::uint64_t> extents;
    std::function<std::vector<Index>(Index)> cell;
  };
  constexpr Index count = 1 << 15;
  // Steps that the two factors of the table undo: products alone would send all cells into a few buckets.
  static const auto undone = static_cast<Index>(inverse(0x243f6a8885a308d3u * 0x9e3779b97f4a7c15u) % (1u << 29));
  const std::vector<Case> cases{
      {{1 << 29}, [](Index i) { return std::vector<Index>{i * undone % (1u << 29)}; }},
      {{1 << 29}, [](Index i) { return std::vector<Index>{i}; }},
      {{1 << 29}, [](Index i) { return std::vector<Index>{i << 13}; }},
      {{1 << 29}, [](Index i) { return std::vector<Index>{i * 8191}; }},
      {{1 << 29}, [](Index i) { return std::vector<Index>{(1u << 29) - 1 - i * 3}; }},
      {{1 << 29}, [](Index i) { return std::vector<Index>{(i >> 8) << 21 | (i & 255)}; }},
      {{30000, 30000},
       [](Index i) {
         return std::vector<Index>{i >> 8, i & 255};
       }},
      {{70000, 70000},
       [](Index i) {
         return std::vector<Index>{i, i};
       }},
      {{70000, 70000},
       [](Index i) {
         return std::vector<Index>{i, 0};
       }},
      {{70000, 70000},
       [](Index i) {
         return std::vector<Index>{69999, i};
       }},
      {{6186, 24, 77, 32},
       [](Index i) {
         return std::vector<Index>{i % 6186, i % 24, i % 77, i % 32};
       }},
      {{6186, 24, 77, 32},
       [](Index i) {
         return std::vector<Index>{i / 32, 3, 5, i % 32};
       }},
      {{64, 64, 64, 64, 64},
       [](Index i) {
         return std::vector<Index>{i & 15, i >> 4 & 15, i >> 8 & 15, i >> 12 & 15, 0};
       }},
      {{64, 64, 64, 64, 64},
       [](Index i) {
         return std::vector<Index>{(i & 15) << 2, (i >> 4 & 15) << 2, (i >> 8 & 15) << 2, (i >> 12 & 15) << 2, 63};
       }},
  };
  for (std::size_t c = 0; c < cases.size(); ++c) {
    SCOPED_TRACE(c);
    const IndexSpace space(cases[c].extents);
    Cells cells;
    for (Index i = 0; i < count; ++i) cells.insert(cases[c].cell(i));
    const Records records = records_of_cells(space.modes(), cells);
    for (const ListedKind kind : {ListedKind::quotient16, ListedKind::quotient32}) {
      ListedSet set(space, records.size(), kind);
      ASSERT_EQ(set.kind(), kind);
      ASSERT_TRUE(set.insert(records));
      EXPECT_LE(set.spilled(), records.size() / (kind == ListedKind::quotient16 ? 100 : 40));
      expect_answers(set, cells, {cells.begin(), cells.end()});
    }
  }
}

// More cells than planned for: buckets overflow by far, and the answers stay exact.
TEST(ListedSet, IsExactWhereBucketsOverflow) {
  Generator draw(RandomStream(5, Purpose::problem));
  const IndexSpace space({1 << 9, 1 << 6});
  for (const ListedKind kind : {ListedKind::quotient16, ListedKind::quotient32}) {
    Cells cells;
    while (cells.size() < 20000) cells.insert({static_cast<Index>(draw() % 512), static_cast<Index>(draw() % 64)});
    ListedSet set(space, 10, kind);
    ASSERT_EQ(set.kind(), kind);
    ASSERT_TRUE(set.insert(records_of_cells(2, cells)));
    EXPECT_GT(set.spilled(), 19000u);
    std::vector<std::vector<Index>> questions;
    for_each_cell({512, 64}, [&](const std::vector<Index>& cell) { questions.push_back(cell); });
    expect_answers(set, cells, questions);
    const auto again = *cells.begin();
    EXPECT_FALSE(set.insert(records_of(2, {{again}})));
  }
}

TEST(ListedSet, NoticesACellGivenTwice) {
  Generator draw(RandomStream(6, Purpose::problem));
  const IndexSpace space({300, 200, 500});
  Cells cells;
  while (cells.size() < 3000) {
    cells.insert(
        {static_cast<Index>(draw() % 300), static_cast<Index>(draw() % 200), static_cast<Index>(draw() % 500)});
  }
  for (const ListedKind kind : all_tables) {
    for (const std::size_t twice : {0u, 63u, 64u, 1500u, 2999u}) {
      Records records = records_of_cells(3, cells);
      records.append(records.index(twice), 1);
      EXPECT_FALSE(ListedSet(space, records.size(), kind).insert(records));
    }
  }
}

TEST(ListedSet, ChoosesTheSmallest) {
  const auto kind = [](std::vector<std::uint64_t> extents, std::size_t n) {
    return ListedSet(IndexSpace(std::move(extents)), n).kind();
  };
  EXPECT_EQ(kind({100, 1000}, 1), ListedKind::bitmap);         // 12 kB
  EXPECT_EQ(kind({1000, 1000}, 100'000), ListedKind::bitmap);  // 125 kB against 300 kB
  EXPECT_EQ(kind({1000, 1000}, 10'000), ListedKind::quotient16);
  EXPECT_EQ(kind({6186, 24, 77, 32}, 5'330'673), ListedKind::quotient16);
  EXPECT_EQ(kind({100'000, 100'000, 10'000}, 1'000'000), ListedKind::quotient32);
  EXPECT_EQ(kind({1'000'000, 1'000'000}, 100), ListedKind::tuples);  // 2^9 buckets would be 32 kB against 1.6 kB
  EXPECT_EQ(kind(std::vector<std::uint64_t>(6, 32768), 1'000'000), ListedKind::tuples);
  EXPECT_EQ(kind({max_held_extent, max_held_extent}, 1000), ListedKind::tuples);
  EXPECT_EQ(kind(std::vector<std::uint64_t>(16, max_held_extent), 0), ListedKind::tuples);
  EXPECT_EQ(ListedSet().kind(), ListedKind::tuples);
  EXPECT_EQ(ListedSet().bytes(), 0u);
}

TEST(ListedSet, TakesThreeBytesACell) {
  const ListedSet set(IndexSpace({6186, 24, 77, 32}), 5'330'673);
  EXPECT_LE(static_cast<double>(set.bytes()) / 5'330'673, 3.01);
  const ListedSet wide(IndexSpace({100'000, 100'000, 10'000}), 1'000'000);
  EXPECT_LE(static_cast<double>(wide.bytes()) / 1'000'000, 6.41);
}

}  // namespace
}  // namespace polyad
