// What a zero test costs, in bulk, with sets that lie in a cache or in main memory. "bytes" are those of the set, a nonzero.

#include "cells.hpp"

#include <polyad/tensor/sparse.hpp>

#include <benchmark/benchmark.h>

#include <vector>

namespace polyad {
namespace {

constexpr std::size_t candidates = 1 << 14;

struct Questions {
  explicit Questions(const IndexSpace& space) {
    Generator draw(RandomStream(3, Purpose::problem));
    for (const std::uint64_t n : space.extents()) {
      columns.emplace_back(candidates);
      for (Index& i : columns.back()) i = static_cast<Index>(draw() % n);
    }
    for (const auto& column : columns) index.push_back(column.data());
  }
  std::vector<std::vector<Index>> columns;
  std::vector<const Index*> index;
};

void listed_flags(benchmark::State& state, const IndexSpace& space, std::size_t nonzeros, ListedKind kind) {
  const Records records = ordered_cells(space, nonzeros);
  ListedSet set(space, records.size(), kind);
  if (set.kind() != kind || !set.insert(records)) {
    state.SkipWithError("the set cannot be of this kind");
    return;
  }
  const Questions questions(space);
  std::vector<std::uint8_t> flags(candidates);
  for (auto _ : state) {
    set.flags(questions.index.data(), 0, candidates, flags.data());
    benchmark::ClobberMemory();
  }
  state.counters["bytes"] = static_cast<double>(set.bytes()) / static_cast<double>(records.size());
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * candidates));
}

// Spaces beyond the reach of remainders: whole cells are compared.
void listed_flags_by_tuples(benchmark::State& state, const IndexSpace& space, std::size_t nonzeros) {
  const SparseTensor tensor(space, ordered_cells(space, nonzeros));
  const Questions questions(space);
  std::vector<std::uint8_t> flags(candidates);
  for (auto _ : state) {
    tensor.listed_flags(questions.index.data(), 0, candidates, flags.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * candidates));
}

// What a test costs that needs the record's number, here as a yardstick.
void find(benchmark::State& state, const IndexSpace& space, std::size_t nonzeros) {
  const SparseTensor tensor(space, ordered_cells(space, nonzeros));
  const Questions questions(space);
  std::vector<Index> index(space.modes());
  tensor.find(index.data());  // makes the table
  for (auto _ : state) {
    std::size_t found = 0;
    for (std::size_t t = 0; t < candidates; ++t) {
      for (std::size_t k = 0; k < index.size(); ++k) index[k] = questions.columns[k][t];
      found += tensor.find(index.data()) != CellSet::absent ? 1 : 0;
    }
    benchmark::DoNotOptimize(found);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * candidates));
}

BENCHMARK_CAPTURE(listed_flags, bitmap_15kB, IndexSpace({60, 50, 40}), 10'000, ListedKind::bitmap);
BENCHMARK_CAPTURE(listed_flags, bitmap_46MB, crime_space(), crime_nonzeros, ListedKind::bitmap);
BENCHMARK_CAPTURE(listed_flags, quotient16_450kB, IndexSpace({200, 150, 100, 50}), 150'000, ListedKind::quotient16);
BENCHMARK_CAPTURE(listed_flags, quotient16_16MB, crime_space(), crime_nonzeros, ListedKind::quotient16);
BENCHMARK_CAPTURE(listed_flags, quotient32_450kB, IndexSpace({200, 150, 100, 50}), 70'000, ListedKind::quotient32);
BENCHMARK_CAPTURE(listed_flags, quotient32_32MB, IndexSpace({100'000, 100'000, 10'000}), 5'000'000,
                  ListedKind::quotient32);
BENCHMARK_CAPTURE(listed_flags_by_tuples, 80MB, IndexSpace({500'000, 400'000, 300'000}), 5'000'000);
BENCHMARK_CAPTURE(find, 85MB, crime_space(), crime_nonzeros);

}  // namespace
}  // namespace polyad
