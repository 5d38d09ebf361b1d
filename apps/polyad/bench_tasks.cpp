#include "polyad/bench_tasks.hpp"

#include <polyad/base/clock.hpp>
#include <polyad/base/fields.hpp>
#include <polyad/base/text.hpp>
#include <polyad/fit.hpp>
#include <polyad/kernel/batch_objective.hpp>
#include <polyad/kernel/exact_objective.hpp>
#include <polyad/loss.hpp>
#include <polyad/model/guess.hpp>
#include <polyad/problems/problem.hpp>
#include <polyad/solve/iterations.hpp>
#include <polyad/tensor/tensor.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

namespace polyad::cli {

namespace {

using Done = std::function<void(const BenchRow&)>;

// The problems of the paper and of its comparison, at the size that is quoted and at one for a smoke test.
Problem binary200(bool quick) {
  BinaryOptions o;
  if (quick) o.shape = "40x30x20x10";
  return make_binary(o);
}
Problem crimelike(bool quick) {
  PoissonOptions o;
  o.shape = quick ? "300x24x17x12" : "6186x24x77x32";
  o.rank = 10;
  o.total = quick ? 20'000 : 6e6;
  return make_poisson(o);
}
Problem gamma100(bool quick) {
  GammaOptions o;
  o.shape = quick ? "20x15x10x5" : "100x75x50x25";
  return make_gamma(o);
}

// Measured as dear as it gets: zeros are drawn, and nothing is left to the choice of the sampler.
const ImportanceOptions always_following = {.zeros = {}, .adaptive = false};

struct Case {
  std::string name;
  const Tensor& tensor;
  std::string loss;
  SamplerKind sampler;
  std::uint64_t rank;
  std::uint64_t samples;
  std::optional<std::uint64_t> nonzero_samples = {};
};

void set_figures(BenchRow& row, std::vector<double> figures) {
  std::sort(figures.begin(), figures.end());
  row.median = figures[figures.size() / 2];
  row.least = figures.front();
  row.upper_quartile = figures[figures.size() * 3 / 4];
}

BenchRow row_of(std::string task, std::string what, std::string unit, std::size_t threads) {
  BenchRow row;
  row.task = std::move(task);
  row.what = std::move(what);
  row.precision = word_of(Precision::in_double);
  row.threads = threads;
  row.unit = std::move(unit);
  return row;
}

// Microseconds an iteration, in stretches of 25.
template <class T>
std::vector<double> time_iterations(const Case& c, std::size_t threads, double seconds) {
  const Loss loss = parse_loss(c.loss);
  SampleOptions options;
  options.sampler = c.sampler;
  options.samples = c.samples;
  options.nonzero_samples = c.nonzero_samples;
  if (c.sampler == SamplerKind::importance) options.importance = always_following;
  const auto sampler = make_sampler(c.tensor, loss.info(), resolve(options, c.tensor, loss.info()));
  const Optimizer optimizer{OptimizerOptions{}};
  ScheduleOptions schedule_options;
  schedule_options.rate = 1e-3;
  schedule_options.epochs = 1;
  schedule_options.final_rate = 1e-4;
  const Schedule schedule(schedule_options);
  FactorsOf<T> factors = converted<T>(random_guess(c.tensor.space(), c.rank, GuessKind::uniform, 100.0, 1, 0));
  std::vector<Segment> segments(factors.modes());
  for (Segment& s : segments) s.lower = 0;
  const Batch no_estimate;
  const StopOptions stop;
  const GcpProblem problem{loss, *sampler, no_estimate, optimizer, schedule, segments, stop};
  Iterations<T> iterations(problem, RandomStream(1, Purpose::gradient), factors, threads);
  std::unique_ptr<Sampler> following;
  if (sampler->refresh_interval() > 0) {
    following = sampler->refreshed(converted<double>(factors), loss, 0, threads);
    iterations.draw_from(*following);
  }
  auto moments = optimizer.start<T>(factors.flat().size());

  constexpr std::uint64_t stretch = 25;
  std::vector<double> figures;
  std::uint64_t draws = 0;
  const Stopwatch clock;
  while (figures.empty() || clock.seconds() < seconds) {
    const Stopwatch mine;
    draws += iterations.run(
        factors, moments, draws, stretch, [](std::uint64_t) { return 1e-3; }, [] { return false; });
    figures.push_back(mine.seconds() * 1e6 / stretch);
  }
  return figures;
}

void measure(const std::string& task, const Case& c, const BenchOptions& options, const Done& done,
             const std::vector<Precision>& precisions) {
  for (const Precision precision : precisions) {
    for (const std::size_t threads : options.threads) {
      BenchRow row = row_of(task, c.name, "us an iteration", threads);
      row.precision = word_of(precision);
      row.facts = {{"rank", c.rank}, {"samples", c.samples}, {"modes", c.tensor.space().modes()}, {"loss", c.loss}};
      if (const SparseTensor* sparse = c.tensor.sparse()) row.facts["nonzeros"] = sparse->listed();
      set_figures(row, precision == Precision::in_double ? time_iterations<double>(c, threads, options.seconds)
                                                         : time_iterations<float>(c, threads, options.seconds));
      done(row);
    }
  }
}

const std::vector<Precision> both = {Precision::in_double, Precision::in_single};
const std::vector<Precision> only_double = {Precision::in_double};

void run_iterations(const BenchOptions& o, const Done& done) {
  {
    const Problem p = binary200(o.quick);
    for (const SamplerKind sampler : {SamplerKind::stratified, SamplerKind::semi_stratified, SamplerKind::importance}) {
      measure("iterations",
              {fmt::format("binary200 {}", word_of(sampler)), p.tensor, "bernoulli-odds", sampler, 5, 1000}, o, done,
              both);
    }
  }
  {
    const Problem p = crimelike(o.quick);
    for (const SamplerKind sampler : {SamplerKind::stratified, SamplerKind::semi_stratified}) {
      measure("iterations", {fmt::format("crimelike {}", word_of(sampler)), p.tensor, "poisson", sampler, 10, 6319}, o,
              done, both);
    }
    for (const SamplerKind sampler : {SamplerKind::exact_zeros, SamplerKind::importance}) {
      measure("iterations", {fmt::format("crimelike {}", word_of(sampler)), p.tensor, "poisson", sampler, 10, 3159}, o,
              done, both);
    }
  }
  const Problem p = gamma100(o.quick);
  for (const SamplerKind sampler : {SamplerKind::uniform, SamplerKind::importance}) {
    measure("iterations", {fmt::format("gamma100 {}", word_of(sampler)), p.tensor, "gamma", sampler, 5, 1000}, o, done,
            both);
  }
}

void time_calls(const std::string& what, std::size_t threads, const BenchOptions& o, const Done& done,
                const std::function<void()>& call) {
  std::vector<double> figures;
  const Stopwatch clock;
  while (figures.empty() || clock.seconds() < o.seconds) {
    const Stopwatch mine;
    call();
    figures.push_back(mine.seconds() * 1e3);
  }
  BenchRow row = row_of("refresh", what, "ms", threads);
  set_figures(row, figures);
  done(row);
}

void run_refresh(const BenchOptions& o, const Done& done) {
  const Problem p = crimelike(o.quick);
  const Loss loss = parse_loss("poisson");
  Factors model = random_guess(p.tensor.space(), 10, GuessKind::uniform, p.tensor.norm(), 1, 0);
  SampleOptions options;
  options.sampler = SamplerKind::importance;
  options.importance = always_following;
  const auto sampler = make_sampler(p.tensor, loss.info(), resolve(options, p.tensor, loss.info()));
  const ExactGradient full(p.tensor, loss);
  Factors gradient = model;
  for (const std::size_t threads : o.threads) {
    time_calls("crimelike, all nonzeros", threads, o, done, [&] { sampler->refreshed(model, loss, 0, threads); });
    time_calls("crimelike, a full gradient", threads, o, done, [&] { full(model, threads, gradient); });
  }
}

void run_losses(const BenchOptions& o, const Done& done) {
  const Problem p = gamma100(o.quick);
  for (const Loss& loss : all_losses()) {
    measure("losses", {std::string(loss.name()), p.tensor, std::string(loss.name()), SamplerKind::uniform, 5, 1000}, o,
            done, both);
  }
}

void run_ranks(const BenchOptions& o, const Done& done) {
  const Problem p = crimelike(o.quick);
  const std::uint64_t largest = o.quick ? 9 : 64;
  std::vector<std::uint64_t> ranks;
  for (std::uint64_t r = 1; r <= largest; ++r) ranks.push_back(r);
  if (!o.quick) ranks.insert(ranks.end(), {100, 200});
  for (const std::uint64_t rank : ranks) {
    measure("ranks", {fmt::format("rank {}", rank), p.tensor, "poisson", SamplerKind::stratified, rank, 2000}, o, done,
            only_double);
  }
}

// As many rows and about as many nonzeros whatever the number of modes, so that this alone makes the difference.
void run_modes(const BenchOptions& o, const Done& done) {
  constexpr std::size_t rows = 960;
  for (std::size_t d = 2; d <= 8; ++d) {
    BinaryOptions made;
    made.shape = joined(std::vector<std::size_t>(d, rows / d), "x");
    made.rho_low = std::min(0.1, (o.quick ? 1e3 : 1e5) / std::pow(rows / d, d));
    made.delta = 0.02;
    const Problem p = make_binary(made);
    measure("modes", {fmt::format("{} modes", d), p.tensor, "bernoulli-odds", SamplerKind::semi_stratified, 8, 2000}, o,
            done, only_double);
  }
}

void run_nonzeros(const BenchOptions& o, const Done& done) {
  for (const double wanted : {1e4, 1e5, 1e6, 1e7}) {
    if (o.quick && wanted > 1e4) break;
    BinaryOptions made;
    made.shape = "1000x1000x1000";
    made.rho_low = wanted / 1e9;
    made.delta = 0.005;
    const Problem p = make_binary(made);
    measure("nonzeros",
            {fmt::format("{} nonzeros", p.tensor.sparse()->listed()), p.tensor, "bernoulli-odds",
             SamplerKind::stratified, 8, 2000},
            o, done, only_double);
  }
}

void run_samples(const BenchOptions& o, const Done& done) {
  const Problem p = binary200(o.quick);
  for (std::uint64_t s = 125; s <= (o.quick ? 500u : 64'000u); s *= 2) {
    measure("samples", {fmt::format("{} samples", s), p.tensor, "bernoulli-odds", SamplerKind::stratified, 5, s}, o,
            done, only_double);
  }
}

void run_estimate(const BenchOptions& o, const Done& done) {
  const Problem p = binary200(o.quick);
  const Loss loss = parse_loss("bernoulli-odds");
  SampleOptions options;
  options.estimate_samples = 200'000;
  const Batch batch = estimate_batch(p.tensor, options);
  const Factors factors = random_guess(p.tensor.space(), 5, GuessKind::uniform, 100.0, 1, 0);
  for (const std::size_t threads : o.threads) {
    std::vector<double> figures;
    const Stopwatch clock;
    while (figures.empty() || clock.seconds() < o.seconds) {
      const Stopwatch mine;
      estimate(factors, batch, loss, threads);
      figures.push_back(mine.seconds() * 1e3);
    }
    BenchRow row = row_of("estimate", "binary200, 200,000 samples", "ms", threads);
    row.facts = {{"samples", batch.size()}, {"rank", 5}};
    set_figures(row, figures);
    done(row);
  }
}

void run_starts(const BenchOptions& o, const Done& done) {
  const Problem p = binary200(o.quick);
  for (const std::size_t threads : o.threads) {
    FitOptions fit_options;
    fit_options.rank = 5;
    fit_options.loss = "bernoulli-odds";
    fit_options.starts = o.quick ? 4 : 25;
    fit_options.schedule.epochs = o.quick ? 1 : 5;
    fit_options.threads = threads;
    const Stopwatch clock;
    fit(p.tensor, fit_options);
    BenchRow row = row_of("starts", "binary200, 25 starts of 5 epochs", "s", threads);
    row.facts = {{"starts", *fit_options.starts}};
    set_figures(row, {clock.seconds()});
    done(row);
  }
}

void run_large(const BenchOptions& o, const Done& done) {
  BinaryOptions made;
  made.shape = o.quick ? "1000x1000x100" : "100000x100000x10000";
  made.delta = o.quick ? 0.01 : 0.0002;
  made.rho_low = o.quick ? 1e-4 : 1e-6;
  made.rank = 2;
  const Stopwatch clock;
  const Problem p = make_binary(made);
  BenchRow row = row_of("large", fmt::format("making {} nonzeros", p.tensor.sparse()->listed()), "s", 1);
  set_figures(row, {clock.seconds()});
  done(row);
  const std::uint64_t samples = o.quick ? 2100 : 210'000;
  measure("large", {"semi-stratified", p.tensor, "bernoulli-odds", SamplerKind::semi_stratified, 16, samples}, o, done,
          both);
}

}  // namespace

const std::vector<BenchTask>& bench_tasks() {
  static const std::vector<BenchTask> tasks = {
      {"iterations", "an iteration (draw, gradient, step) on three problems, by several samplers", true,
       run_iterations},
      {"estimate", "the loss estimate on 200,000 samples", true, run_estimate},
      {"starts", "25 starts, one after the other and side by side", true, run_starts},
      {"refresh", "building the densities of importance again, against an exact gradient", false, run_refresh},
      {"losses", "an iteration with every loss, all else equal", false, run_losses},
      {"ranks", "an iteration for ranks 1 to 64, 100 and 200", false, run_ranks},
      {"modes", "an iteration for 2 to 8 modes", false, run_modes},
      {"samples", "an iteration for 125 to 64,000 samples", false, run_samples},
      {"nonzeros", "an iteration for 10,000 to 10 million nonzeros", false, run_nonzeros},
      {"large", "100,000 x 100,000 x 10,000 with 100 million nonzeros (needs 8 GB)", false, run_large},
  };
  return tasks;
}

}  // namespace polyad::cli
