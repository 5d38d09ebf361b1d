// What it takes to prepare a sparse tensor for fits: entries checked, the set filled, records grouped.

#include "cells.hpp"

#include <polyad/tensor/sparse.hpp>

#include <benchmark/benchmark.h>

#include <optional>

namespace polyad {
namespace {

void fill_set(benchmark::State& state) {
  const IndexSpace space = crime_space();
  const Records records = ordered_cells(space, crime_nonzeros);
  for (auto _ : state) {
    ListedSet set(space, records.size());
    benchmark::DoNotOptimize(set.insert(records));
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * records.size()));
}

void prepare(benchmark::State& state, bool in_order) {
  const IndexSpace space = crime_space();
  const Records ordered = ordered_cells(space, crime_nonzeros);
  const Records records = in_order ? ordered : shuffled(ordered);
  for (auto _ : state) {
    state.PauseTiming();
    Records copy = records;
    std::optional<SparseTensor> tensor;
    state.ResumeTiming();
    tensor.emplace(space, std::move(copy));
    state.PauseTiming();
    tensor.reset();
    state.ResumeTiming();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * records.size()));
}

BENCHMARK(fill_set)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(prepare, in_order, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(prepare, shuffled, false)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace polyad
