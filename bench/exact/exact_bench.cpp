// bench_exact: what an exact pass over the data costs.
//
//   bench_exact                                  all, on generated problems
//   bench_exact --benchmark_filter=gamma         some
//   POLYAD_BENCH_GAMMA=g.npy POLYAD_BENCH_COUNTS=c.tns bench_exact     on tensors of your own
//
// Problems: gamma 100 x 75 x 50 x 25, rank 5, dense; counts 6186 x 24 x 77 x 32 with about 5 million nonzeros, rank 10.
// The argument is the number of threads; `plain` is the same gradient by plain scalar loops.

#include "plain_gradient.hpp"

#include <polyad/io/open.hpp>
#include <polyad/kernel/exact_objective.hpp>
#include <polyad/loss.hpp>
#include <polyad/loss/all.hpp>
#include <polyad/model/guess.hpp>
#include <polyad/problems/problem.hpp>
#include <polyad/solve/bounds.hpp>
#include <polyad/solve/cp_als.hpp>
#include <polyad/solve/cp_apr.hpp>

#include <benchmark/benchmark.h>

#include <cstdlib>

namespace polyad {
namespace {

const Tensor& gamma_tensor() {
  static const Tensor tensor = [] {
    if (const char* path = std::getenv("POLYAD_BENCH_GAMMA")) return read_tensor(path);
    GammaOptions options;
    options.shape = "100x75x50x25";
    return make_problem(options).tensor;
  }();
  return tensor;
}

const Tensor& count_tensor() {
  static const Tensor tensor = [] {
    if (const char* path = std::getenv("POLYAD_BENCH_COUNTS")) return read_tensor(path);
    PoissonOptions options;
    options.shape = "6186x24x77x32";
    options.rank = 10;
    options.total = 6e6;
    return make_problem(options).tensor;
  }();
  return tensor;
}

Factors start_of(const Tensor& tensor, std::size_t rank) {
  return random_guess(tensor.space(), rank, GuessKind::uniform, tensor.norm(), 1, 0);
}

void full_gradient(benchmark::State& state, const Tensor& tensor, const char* loss, std::size_t rank) {
  const ExactGradient evaluate(tensor, parse_loss(loss));
  const Factors model = start_of(tensor, rank);
  Factors gradient(model.extents(), rank);
  for (auto _ : state) benchmark::DoNotOptimize(evaluate(model, static_cast<std::size_t>(state.range(0)), gradient));
}

void gamma_gradient(benchmark::State& state) {
  full_gradient(state, gamma_tensor(), "gamma", 5);
}
void gamma_gradient_plain(benchmark::State& state) {
  const Factors model = start_of(gamma_tensor(), 5);
  Factors gradient(model.extents(), 5);
  for (auto _ : state) {
    benchmark::DoNotOptimize(bench::plain_gamma_gradient(model, *gamma_tensor().dense(), gradient));
  }
}
void poisson_gradient(benchmark::State& state) {
  full_gradient(state, count_tensor(), "poisson", 10);
}
void poisson_gradient_plain(benchmark::State& state) {
  const Factors model = start_of(count_tensor(), 10);
  Factors gradient(model.extents(), 10);
  for (auto _ : state) {
    benchmark::DoNotOptimize(bench::plain_poisson_gradient(model, *count_tensor().sparse(), gradient));
  }
}

// Seconds of one sweep or outer iteration of a solver, from its own trace.
void one_iteration(benchmark::State& state, const Solver& solver, const Tensor& tensor) {
  const Stopwatch clock;
  const StopOptions stop;
  const Monitor monitor;
  const Factors guess = start_of(tensor, 10);
  for (auto _ : state) {
    StartContext context{monitor, clock, stop};
    context.threads = static_cast<std::size_t>(state.range(0));
    const StartResult result = solver.run(guess, context);
    state.SetIterationTime(result.trace.back().seconds - result.trace[result.trace.size() - 2].seconds);
  }
}

void als_sweep(benchmark::State& state) {
  const Tensor& tensor = count_tensor();
  const auto segments = make_segments({}, no_bound, start_of(tensor, 10), tensor.labels());
  static const CpAls solver(tensor, segments, {0, 0, 2});
  one_iteration(state, solver, tensor);
}

template <AprUpdate update>
void apr_outer(benchmark::State& state) {
  const Tensor& tensor = count_tensor();
  const auto segments = make_segments({}, 0, start_of(tensor, 10), tensor.labels());
  static const CpApr solver(tensor, segments, {{update, 10, 0}, 0, 1});
  one_iteration(state, solver, tensor);
}

BENCHMARK(gamma_gradient)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(gamma_gradient_plain)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(poisson_gradient)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(poisson_gradient_plain)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(als_sweep)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseManualTime();
BENCHMARK_TEMPLATE(apr_outer, AprUpdate::mu)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseManualTime();
BENCHMARK_TEMPLATE(apr_outer, AprUpdate::pdnr)->Arg(2)->Unit(benchmark::kMillisecond)->UseManualTime();
BENCHMARK_TEMPLATE(apr_outer, AprUpdate::pqnr)->Arg(2)->Unit(benchmark::kMillisecond)->UseManualTime();

}  // namespace
}  // namespace polyad

BENCHMARK_MAIN();
