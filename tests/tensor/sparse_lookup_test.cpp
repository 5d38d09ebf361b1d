#include <polyad/base/parallel.hpp>
#include <polyad/base/rng.hpp>
#include <polyad/tensor/sparse.hpp>
#include <tensor/helpers.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <map>

namespace polyad {
namespace {

struct Sample {
  IndexSpace space;
  Records records;
  std::map<std::vector<Index>, double> oracle;
};

Sample sample(std::vector<std::uint64_t> extents, std::size_t count) {
  Generator draw(RandomStream(8, Purpose::problem));
  Sample out{IndexSpace(extents), Records(extents.size()), {}};
  while (out.oracle.size() < count) {
    std::vector<Index> cell;
    for (const std::uint64_t n : extents) cell.push_back(static_cast<Index>(draw() % n));
    const double value = 1 + draw.unit();
    if (out.oracle.emplace(cell, value).second) out.records.append(cell.data(), value);
  }
  return out;
}

// A small space (a bitmap), a sparse one (16 bits), a sparser one (32 bits), one of 2^90 cells (whole cells compared).
TEST(SparseLookup, TellsListedCellsWhateverTheSpace) {
  for (const auto& extents : std::vector<std::vector<std::uint64_t>>{
           {20, 30, 40}, {1000, 300, 200}, {100000, 1000, 70000}, std::vector<std::uint64_t>(6, 32768)}) {
    const auto [space, records, oracle] = sample(extents, 3000);
    const SparseTensor tensor(space, records);
    const std::size_t modes = extents.size();
    std::vector<std::vector<Index>> columns(modes);
    for (const auto& [cell, value] : oracle) {
      for (std::size_t k = 0; k < modes; ++k) {
        columns[k].push_back(cell[k]);
        columns[k].push_back(k == 1 ? (cell[k] + 1) % static_cast<Index>(extents[k]) : cell[k]);
      }
    }
    std::vector<const Index*> index;
    for (const auto& column : columns) index.push_back(column.data());
    std::vector<std::uint8_t> flags(columns[0].size() - 5);
    tensor.listed_flags(index.data(), 5, flags.size(), flags.data());
    for (std::size_t t = 5; t < columns[0].size(); ++t) {
      std::vector<Index> cell;
      for (const auto& column : columns) cell.push_back(column[t]);
      const auto known = oracle.find(cell);
      tensor.prefetch(cell.data());
      ASSERT_EQ(tensor.is_listed(cell.data()), known != oracle.end());
      ASSERT_EQ(flags[t - 5], known != oracle.end() ? 1 : 0);
      const std::uint32_t record = tensor.find(cell.data());
      ASSERT_EQ(record != CellSet::absent, known != oracle.end());
      if (known == oracle.end()) continue;
      ASSERT_EQ(tensor.records().value(record), known->second);
    }
  }
}

TEST(SparseLookup, ManyThreadsMayAskFirst) {
  const Sample some = sample({100, 200, 300}, 20000);
  for (int round = 0; round < 5; ++round) {
    const SparseTensor tensor(some.space, some.records);
    std::atomic<std::size_t> wrong = 0;
    parallel_tasks(8, 8, [&](std::size_t) {
      for (const auto& [cell, value] : some.oracle) {
        const std::uint32_t record = tensor.find(cell.data());
        if (record == CellSet::absent || tensor.records().value(record) != value) ++wrong;
      }
    });
    EXPECT_EQ(wrong, 0u);
  }
}

TEST(SparseLookup, CopiesAndMovesAnswerForTheirOwnRecords) {
  const auto [space, records, oracle] = sample({10, 20, 30}, 500);
  const std::vector<Index> some = oracle.begin()->first;
  SparseTensor tensor(space, records);
  ASSERT_NE(tensor.find(some.data()), CellSet::absent);
  SparseTensor copy = tensor;
  copy.set_missing(records_of(3, {{some}}));
  EXPECT_EQ(copy.find(some.data()), CellSet::absent);
  EXPECT_FALSE(copy.is_listed(some.data()));
  EXPECT_NE(tensor.find(some.data()), CellSet::absent);
  SparseTensor moved = std::move(tensor);
  EXPECT_EQ(moved.records().value(moved.find(some.data())), oracle.begin()->second);
  copy = moved;
  EXPECT_NE(copy.find(some.data()), CellSet::absent);
  moved = SparseTensor(space, Records(3));
  EXPECT_EQ(moved.find(some.data()), CellSet::absent);
  EXPECT_TRUE(copy.is_listed(some.data()));
}

}  // namespace
}  // namespace polyad
