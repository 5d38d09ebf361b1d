// The inner loop against a plain one (whole batch, whole gradient, whole step), and against itself on other numbers of
// threads.

#include <polyad/base/error.hpp>
#include <polyad/fields.hpp>
#include <polyad/kernel/batch_objective.hpp>
#include <polyad/loss.hpp>
#include <polyad/loss/all.hpp>
#include <polyad/model/guess.hpp>
#include <polyad/sample/sampler.hpp>
#include <polyad/solve/iterations.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <optional>

namespace polyad {
namespace {

SparseTensor scattered_counts(std::vector<std::uint64_t> extents, std::size_t count) {
  const IndexSpace space(extents);
  Records records(space.modes());
  std::vector<Index> index(space.modes());
  for (std::size_t n = 0; n < count; ++n) {
    for (std::size_t k = 0; k < index.size(); ++k)
      index[k] = static_cast<Index>((n * (7 + 4 * k) + n / 5) % extents[k]);
    records.append(index.data(), 1 + static_cast<double>(n % 3));
  }
  return SparseTensor(space, std::move(records));
}

// What the inner loop is given, and the loop.
template <class T>
struct Loop {
  std::unique_ptr<Sampler> sampler;
  Optimizer optimizer{OptimizerOptions{}};
  Schedule schedule{ScheduleOptions{}};
  Batch no_estimate;
  StopOptions stop;
  GcpProblem problem;
  FactorsOf<T> factors;
  MomentsOf<T> moments;
  Iterations<T> iterations;

  Loop(const Tensor& tensor, const Loss& loss, const SampleOptions& sample, const std::vector<Segment>& segments,
       FactorsOf<T> start, std::size_t threads)
      : sampler(make_sampler(tensor, loss.info(), sample)),
        problem{loss, *sampler, no_estimate, optimizer, schedule, segments, stop},
        factors(std::move(start)),
        moments(optimizer.start<T>(factors.flat().size())),
        iterations(problem, RandomStream(3, Purpose::gradient), factors, threads) {}

  std::uint64_t run(
      std::uint64_t draws, std::uint64_t count, const std::function<double(std::uint64_t)>& rate,
      const std::function<bool()>& when_to_stop = [] { return false; }) {
    return iterations.run(factors, moments, draws, count, rate, when_to_stop);
  }
};

struct Bench {
  Tensor tensor;
  Loss loss;
  SampleOptions sample;
  std::vector<Segment> segments;
  std::uint64_t rank = 3;
  std::uint64_t iterations = 12;

  Bench(Tensor t, std::string_view loss_name, SamplerKind sampler, std::uint64_t parts)
      : tensor(std::move(t)), loss(parse_loss(loss_name)) {
    sample.sampler = sampler;
    sample.samples = 60;
    sample.parts = parts;
    sample = resolve(sample, tensor, loss.info());
    segments.resize(tensor.space().modes());
    for (Segment& s : segments) s.lower = 0;
  }

  Factors guess() const { return random_guess(tensor.space(), rank, GuessKind::uniform, 5.0, 1, 0); }

  template <class T>
  Loop<T> started(FactorsOf<T> start, std::size_t threads) const {
    return Loop<T>(tensor, loss, sample, segments, std::move(start), threads);
  }

  template <class T>
  FactorsOf<T> run(std::size_t threads) const {
    Loop<T> loop = started(converted<T>(guess()), threads);
    const auto rate = [](std::uint64_t i) { return 0.02 / (1 + static_cast<double>(i)); };
    // In two goes, as epochs are.
    EXPECT_EQ(loop.run(0, 5, rate), 5u);
    EXPECT_EQ(loop.run(5, iterations - 5, [&](std::uint64_t i) { return rate(i + 5); }), iterations - 5);
    EXPECT_EQ(loop.moments.steps, iterations);
    return loop.factors;
  }

  // Without parts, threads or pieces.
  Factors plain() const {
    const auto sampler = make_sampler(tensor, loss.info(), sample);
    const Optimizer optimizer{OptimizerOptions{}};
    Factors a = guess();
    Factors g = a;
    Moments moments = optimizer.start(a.flat().size());
    std::vector<Segment> flat = segments;
    for (std::size_t k = 0; k < flat.size(); ++k) {
      flat[k].begin = a.mode_begin(k);
      flat[k].size = a.mode_span(k).size();
    }
    Batch batch;
    for (std::uint64_t i = 0; i < iterations; ++i) {
      sampler->draw(RandomStream(3, Purpose::gradient), i, batch);
      sampled_gradient(a, batch, loss, g);
      optimizer.step(a.flat(), g.flat(), moments, 0.02 / (1 + static_cast<double>(i)), flat);
      a.clear_padding();
    }
    return a;
  }
};

void expect_near(const Factors& ours, const Factors& expected, double tolerance) {
  for (std::size_t k = 0; k < expected.modes(); ++k) {
    for (std::size_t i = 0; i < expected.rows(k); ++i) {
      for (std::size_t j = 0; j < expected.stride(); ++j) {
        ASSERT_NEAR(ours.at(k, i, j), expected.at(k, i, j), tolerance) << "mode " << k << " row " << i << " lane " << j;
      }
    }
  }
}

void check(const Bench& bench) {
  const Factors one = bench.run<double>(1);
  expect_near(one, bench.plain(), 1e-10);
  const FactorsOf<float> single = bench.run<float>(1);
  for (const std::size_t threads : {2, 3, 4, 9}) {
    EXPECT_EQ(bench.run<double>(threads), one) << threads << " threads";
    EXPECT_EQ(bench.run<float>(threads), single) << threads << " threads, single precision";
  }
}

TEST(Iterations, EverySamplerInPartsOnAnyNumberOfThreads) {
  for (const SamplerKind sampler : {SamplerKind::uniform, SamplerKind::stratified, SamplerKind::semi_stratified,
                                    SamplerKind::exact_zeros, SamplerKind::importance}) {
    for (const std::uint64_t parts : {1, 2, 5}) {
      SCOPED_TRACE(fmt::format("{} in {} parts", word_of(sampler), parts));
      check(Bench(Tensor(scattered_counts({6, 31, 8}, 150)), "poisson", sampler, parts));
    }
  }
}

TEST(Iterations, QuadraticSumsOverZeros) {
  check(Bench(Tensor(scattered_counts({40, 7, 5, 6}, 150)), "gaussian", SamplerKind::exact_zeros, 4));
}

TEST(Iterations, SinglePrecisionStaysClose) {
  const Bench bench(Tensor(scattered_counts({6, 31, 8}, 150)), "poisson", SamplerKind::stratified, 3);
  expect_near(converted<double>(bench.run<float>(1)), bench.run<double>(1), 1e-3);
}

TEST(Iterations, FixedModesBoundsAwayFromZeroAndOneMode) {
  Bench fixed(Tensor(scattered_counts({6, 31, 8}, 150)), "poisson", SamplerKind::semi_stratified, 3);
  fixed.segments[1].fixed = true;
  check(fixed);
  EXPECT_EQ(fixed.run<double>(2).mode_span(1)[0], fixed.guess().mode_span(1)[0]);
  fixed.segments[1].fixed = false;
  fixed.segments[2].fixed = true;
  check(fixed);

  Bench bounded(Tensor(scattered_counts({6, 31, 8}, 150)), "poisson", SamplerKind::stratified, 3);
  for (Segment& s : bounded.segments) s.lower = 0.25;
  check(bounded);

  check(Bench(Tensor(scattered_counts({200}, 90)), "poisson", SamplerKind::stratified, 4));
}

// Gradients of 1e20 and more: squares beyond single precision must neither freeze a factor nor spoil it.
TEST(Iterations, SinglePrecisionSurvivesHugeGradients) {
  Bench bench(Tensor(scattered_counts({6, 31, 8}, 150)), "gamma", SamplerKind::uniform, 2);
  bench.sample.sampler = SamplerKind::stratified;
  bench.sample.nonzero_samples = 30;
  FactorsOf<float> factors(bench.guess().extents(), bench.rank);
  for (float& a : factors.flat()) a = 1e-5f;  // m = 3e-15, where x / m^2 is about 1e20
  factors.clear_padding();
  Loop<float> loop = bench.started(factors, 1);
  loop.run(0, 30, [](std::uint64_t) { return 0.01; });
  EXPECT_TRUE(loop.factors.all_finite());
  std::size_t moved = 0;
  for (std::size_t i = 0; i < factors.rows(1); ++i) moved += loop.factors.at(1, i, 0) > 1e-3f ? 1 : 0;
  EXPECT_GT(moved, factors.rows(1) / 2) << "rows were frozen";
}

TEST(Iterations, StopIsAskedBeforeEach) {
  const Bench bench(Tensor(scattered_counts({6, 31, 8}, 150)), "poisson", SamplerKind::stratified, 3);
  const auto rate = [](std::uint64_t) { return 0.01; };
  for (const std::size_t threads : {1, 3}) {
    Loop<double> loop = bench.started(bench.guess(), threads);
    int asked = 0;
    EXPECT_EQ(loop.run(0, 100, rate, [&] { return asked++ == 4; }), 4u);
    EXPECT_EQ(loop.run(4, 100, rate, [] { return true; }), 0u);
    EXPECT_EQ(loop.moments.steps, 4u);
  }
}

// Moments that nothing feeds any more end at zero, not among the numbers that are slow to compute with.
TEST(Iterations, MomentsDoNotLingerBelowTheNormalNumbers) {
  Bench bench(Tensor(scattered_counts({6, 31, 8}, 1)), "poisson", SamplerKind::exact_zeros, 1);
  bench.segments[0].upper = 0;  // all model values, and with them all gradients of other modes, are 0 from now on
  Loop<float> loop = bench.started(converted<float>(bench.guess()), 1);
  loop.run(0, 3000, [](std::uint64_t) { return 1e-4; });
  std::size_t lingering = 0;
  for (const auto* moments : {&loop.moments.first, &loop.moments.second}) {
    for (const float m : *moments) lingering += std::fpclassify(m) == FP_SUBNORMAL ? 1 : 0;
  }
  EXPECT_EQ(lingering, 0u);
}

}  // namespace
}  // namespace polyad
