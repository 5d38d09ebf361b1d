// The stages of an iteration, each on its own: what a sample costs.

#include <polyad/kernel/sampled_blocks.hpp>
#include <polyad/loss/all.hpp>
#include <polyad/model/guess.hpp>
#include <polyad/optim/optimizer.hpp>
#include <polyad/sample/draws/index_drawer.hpp>

#include <benchmark/benchmark.h>

#include <vector>

namespace polyad {
namespace {

constexpr std::size_t samples = 4096;

Batch drawn_batch(const IndexSpace& space) {
  Batch batch;
  batch.resize(space.modes(), samples, false);
  const RandomStream stream(1, Purpose::gradient);
  IndexDrawer(Box::whole(space)).draw({stream, 0}, {0, samples}, 0, samples, batch, 0);
  return batch;
}

template <class T, bool scatter>
void blocks(benchmark::State& state) {
  const auto rank = static_cast<std::size_t>(state.range(0));
  const auto modes = static_cast<std::size_t>(state.range(1));
  const IndexSpace space(std::vector<std::uint64_t>(modes, 100));
  const Batch batch = drawn_batch(space);
  const auto model = converted<T>(random_guess(space, rank, GuessKind::uniform, 10.0, 1, 0));
  FactorsOf<T> gradient(model.extents(), rank);
  const CellRowsOf<T> rows(model, batch, gradient);
  const BlockKernels<T> kernels = block_kernels<T>(modes, model.stride());
  AlignedVector<T> m(block_cells, T{1});
  for (auto _ : state) {
    for (std::size_t first = 0; first < samples; first += block_cells) {
      if constexpr (scatter) {
        kernels.scatter(rows, first, block_cells, m.data());
      } else {
        kernels.model(rows, first, block_cells, m.data());
      }
    }
    benchmark::DoNotOptimize(gradient.flat().data());
    benchmark::DoNotOptimize(m.data());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * samples));
}

void shapes(benchmark::internal::Benchmark* b) {
  for (const int rank : {1, 4, 5, 8, 10, 16, 32, 64}) b->Args({rank, 4});
  for (const int modes : {2, 3, 5, 6, 8}) b->Args({8, modes});
}

BENCHMARK(blocks<double, false>)->Name("model/double")->Apply(shapes);
BENCHMARK(blocks<float, false>)->Name("model/single")->Apply(shapes);
BENCHMARK(blocks<double, true>)->Name("scatter/double")->Apply(shapes);
BENCHMARK(blocks<float, true>)->Name("scatter/single")->Apply(shapes);

template <class T, bool derivative>
void losses(benchmark::State& state) {
  const Loss& loss = all_losses()[static_cast<std::size_t>(state.range(0))];
  state.SetLabel(std::string(loss.name()));
  AlignedVector<T> x(samples, T{1});
  AlignedVector<T> m(samples);
  AlignedVector<T> out(samples);
  for (std::size_t t = 0; t < samples; ++t) m[t] = static_cast<T>(0.1 + 0.001 * static_cast<double>(t));
  for (auto _ : state) {
    for (std::size_t first = 0; first < samples; first += block_cells) {
      if constexpr (derivative) {
        loss.derivatives(block_cells, x.data() + first, m.data() + first, out.data() + first);
      } else {
        loss.values(block_cells, x.data() + first, m.data() + first, out.data() + first);
      }
    }
    benchmark::DoNotOptimize(out.data());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * samples));
}

constexpr auto last_loss = static_cast<std::int64_t>(std::tuple_size_v<AllLosses>) - 1;
BENCHMARK(losses<double, true>)->Name("derivative/double")->DenseRange(0, last_loss);
BENCHMARK(losses<float, true>)->Name("derivative/single")->DenseRange(0, last_loss);
BENCHMARK(losses<double, false>)->Name("value/double")->DenseRange(0, last_loss);

void draw_tuples(benchmark::State& state) {
  const IndexSpace space({200, 150, 100, 50});
  const IndexDrawer drawer(Box::whole(space));
  Batch batch;
  batch.resize(4, samples, false);
  const RandomStream stream(1, Purpose::gradient);
  std::uint64_t draw = 0;
  for (auto _ : state) drawer.draw({stream, draw++}, {0, samples}, 0, samples, batch, 0);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * samples));
}
BENCHMARK(draw_tuples);

template <class T, OptimizerKind kind>
void step(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  OptimizerOptions options;
  options.kind = kind;
  const Optimizer optimizer(options);
  AlignedVector<T> parameters(n, T{1});
  AlignedVector<T> gradient(n, T{1});
  auto moments = optimizer.template start<T>(n);
  for (auto _ : state) {
    optimizer.step_and_clear(optimizer.numbers(++moments.steps, 1e-3),
                             piece_of(std::span<T>(parameters), std::span<T>(gradient), moments, 0, n), 0.0, 10.0);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * n));
}
BENCHMARK(step<double, OptimizerKind::adam>)->Name("adam/double")->Arg(4000)->Arg(75'000)->Arg(1'000'000);
BENCHMARK(step<float, OptimizerKind::adam>)->Name("adam/single")->Arg(4000)->Arg(75'000)->Arg(1'000'000);
BENCHMARK(step<double, OptimizerKind::amsgrad>)->Name("amsgrad/double")->Arg(4000);
BENCHMARK(step<double, OptimizerKind::adagrad>)->Name("adagrad/double")->Arg(4000);
BENCHMARK(step<double, OptimizerKind::sgd>)->Name("sgd/double")->Arg(4000);

}  // namespace
}  // namespace polyad
