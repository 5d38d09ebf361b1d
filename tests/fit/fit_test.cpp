// The door as a program uses it.

#include <polyad/base/error.hpp>
#include <polyad/fields.hpp>
#include <polyad/fit.hpp>
#include <polyad/fit/plan.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/loss.hpp>
#include <polyad/model/compare.hpp>
#include <polyad/problems/problem.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

namespace polyad {
namespace {

Problem small_counts() {
  PoissonOptions options;
  options.shape = "20x15x10";
  options.rank = 2;
  options.total = 6000;
  return make_problem(options);
}

FitOptions quick(const char* loss = "poisson") {
  FitOptions options;
  options.rank = 2;
  options.loss = loss;
  options.starts = 3;
  options.finish = Finish::none;
  options.schedule.epochs = 4;
  options.schedule.epoch_iterations = 100;
  return options;
}

std::string error_of(ErrorKind kind, const auto& action) {
  try {
    action();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), kind) << e.what();
    return e.what();
  }
  return "";
}

TEST(Fit, GivesTheSameBitsOnAnyNumberOfThreadsAndAgain) {
  const Problem problem = small_counts();
  for (const SamplerKind sampler :
       {SamplerKind::uniform, SamplerKind::stratified, SamplerKind::semi_stratified, SamplerKind::exact_zeros}) {
    FitOptions options = quick();
    options.sample.sampler = sampler;
    options.threads = 1;
    const FitResult first = fit(problem.tensor, options);
    for (const std::uint64_t threads : {1, 2, 4}) {
      options.threads = threads;
      const FitResult again = fit(problem.tensor, options);
      EXPECT_EQ(first.model, again.model) << word_of(sampler) << ", " << threads << " threads";
      EXPECT_EQ(first.estimate, again.estimate);
      EXPECT_EQ(first.best_start, again.best_start);
      for (std::size_t s = 0; s < first.starts.size(); ++s)
        EXPECT_EQ(first.starts[s].estimate, again.starts[s].estimate);
    }
  }
}

TEST(Fit, DependsOnTheSeedAndStartsDiffer) {
  const Problem problem = small_counts();
  FitOptions options = quick();
  const FitResult one = fit(problem.tensor, options);
  EXPECT_NE(one.starts[0].estimate, one.starts[1].estimate);
  options.seed = 2;
  EXPECT_NE(one.starts[0].estimate, fit(problem.tensor, options).starts[0].estimate);
}

TEST(Fit, StartNumberKMeansTheSameHoweverManyStartsThereAre) {
  const Problem problem = small_counts();
  FitOptions options = quick();
  const FitResult three = fit(problem.tensor, options);
  options.starts = 2;
  const FitResult two = fit(problem.tensor, options);
  EXPECT_EQ(three.starts[1].estimate, two.starts[1].estimate);
}

TEST(Fit, ResolvesEverythingAndArrangesTheModel) {
  const Problem problem = small_counts();
  const FitResult result = fit(problem.tensor, quick());
  EXPECT_EQ(result.options.sample.sampler, SamplerKind::exact_zeros);
  EXPECT_TRUE(result.options.sample.samples && result.options.guess.norm && result.options.schedule.epochs);
  for (std::size_t k = 0; k < 3; ++k) {
    double squares = 0;
    for (std::size_t i = 0; i < result.model.factors.rows(k); ++i)
      squares += std::pow(result.model.factors.at(k, i, 0), 2);
    EXPECT_NEAR(squares, 1, 1e-12);
  }
  ASSERT_TRUE(result.exact_loss);
  EXPECT_NEAR(*result.exact_loss, result.estimate, 0.2 * std::abs(result.estimate));
  for (const StartSummary& start : result.starts) EXPECT_EQ(start.trace.size(), 5u);
}

// Component 1 of a small block of large values has the larger weight, the wide one the larger sum: reports show it first.
TEST(Fit, NumbersComponentsAsReportsDo) {
  const std::vector<std::uint64_t> extents{40, 40};
  AlignedVector<double> values(1600, 0.0);
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2; ++j) values[i * 40 + j] = 60;
  }
  for (std::size_t i = 2; i < 40; ++i) {
    for (std::size_t j = 2; j < 40; ++j) values[i * 40 + j] = 2;
  }
  FitOptions options;
  options.rank = 2;
  options.loss = "poisson";
  options.method = "gcp-full";
  const FitResult result = fit(Tensor(DenseTensor(IndexSpace(extents), std::move(values))), options);
  EXPECT_NEAR(result.model.weights[0], 2 * 38, 0.5);
  EXPECT_NEAR(result.model.weights[1], 60 * 2, 0.5);
  EXPECT_LT(result.model.factors.at(0, 0, 0), 1e-3);
}

// With a handful of cells in the estimate it often names another start.
TEST(Fit, TheExactLossChoosesTheStartWhereItIsCheap) {
  const Problem problem = small_counts();
  FitOptions options = quick();
  options.starts = 12;
  options.sample.estimate_samples = 8;
  const FitResult result = fit(problem.tensor, options);
  std::size_t lowest_estimate = 0;
  for (std::size_t s = 0; s < result.starts.size(); ++s) {
    ASSERT_TRUE(result.starts[s].exact_loss.has_value());
    EXPECT_LE(*result.starts[result.best_start].exact_loss, *result.starts[s].exact_loss);
    if (result.starts[s].estimate < result.starts[lowest_estimate].estimate) lowest_estimate = s;
  }
  EXPECT_NE(lowest_estimate, result.best_start) << "these options no longer tell the two apart";
  EXPECT_DOUBLE_EQ(*result.exact_loss, *result.starts[result.best_start].exact_loss);
  EXPECT_EQ(to_model_file(result).summary->json["starts"][0]["exact-loss"], *result.starts[0].exact_loss);
}

TEST(Fit, TakesAUsersOwnLoss) {
  const Problem problem = small_counts();
  FitOptions options = quick("");
  const Loss fourth_power =
      user_loss("fourth-power", [](auto x, auto m) { return (x - m) * (x - m) * (x - m) * (x - m); });
  const FitResult result = fit(problem.tensor, fourth_power, options);
  EXPECT_EQ(result.options.loss, "fourth-power");
  EXPECT_LT(result.estimate, result.starts[result.best_start].trace[0].estimate);
}

TEST(Fit, StartsFromAModelAndKeepsFixedModes) {
  const Problem problem = small_counts();
  FitOptions options = quick();
  const FitResult first = fit(problem.tensor, options);
  options.starts.reset();
  options.bounds.modes = {"2:fixed"};
  const FitResult second = fit(problem.tensor, options, {}, {.start_from = &first.model});
  EXPECT_EQ(second.starts.size(), 1u) << "a given start is one start unless more are asked for";
  EXPECT_LE(second.estimate, first.estimate);
  const Score alike = score(first.model, second.model);
  for (std::size_t j = 0; j < 2; ++j) {
    for (std::size_t i = 0; i < 15; ++i) {
      EXPECT_NEAR(first.model.factors.at(1, i, j), second.model.factors.at(1, i, alike.match[j]), 1e-12);
    }
  }
  EXPECT_THAT(error_of(ErrorKind::usage, [&] { fit(problem.tensor, options); }), testing::HasSubstr("starting model"));
  options.rank = 3;
  EXPECT_THAT(error_of(ErrorKind::usage, [&] { fit(problem.tensor, options, {}, {.start_from = &first.model}); }),
              testing::HasSubstr("rank 2"));
}

TEST(Fit, RespectsBounds) {
  const Problem problem = small_counts();
  FitOptions options = quick();
  options.starts = 1;
  options.bounds.modes = {"1:lower=0.2,upper=0.3"};
  const FitResult result = fit(problem.tensor, options);
  // Columns are normalised afterwards, so a ratio is what can be seen of the bounds.
  for (std::size_t j = 0; j < 2; ++j) {
    double least = INFINITY, most = 0;
    for (std::size_t i = 0; i < 20; ++i) {
      least = std::min(least, result.model.factors.at(0, i, j));
      most = std::max(most, result.model.factors.at(0, i, j));
    }
    EXPECT_LE(most / least, 1.5 + 1e-12);
  }
}

TEST(Fit, RefusesWhatItCannotDo) {
  const Problem problem = small_counts();
  FitOptions options = quick();
  options.rank = 0;
  EXPECT_THAT(error_of(ErrorKind::usage, [&] { fit(problem.tensor, options); }),
              testing::HasSubstr("rank must be at least 1"));
  EXPECT_THAT(error_of(ErrorKind::usage, [&] { fit(problem.tensor, quick("poison")); }),
              testing::HasSubstr("'poisson'"));
  EXPECT_THAT(error_of(ErrorKind::usage, [&] { fit(problem.tensor, quick("")); }), testing::HasSubstr("poisson"));
  EXPECT_THAT(error_of(ErrorKind::data, [&] { fit(problem.tensor, quick("gamma")); }), testing::HasSubstr("zeros"));
  const Tensor vast = SparseTensor(IndexSpace({4'000'000'000, 4'000'000'000}), Records(2));
  EXPECT_THAT(error_of(ErrorKind::data, [&] { fit(vast, quick()); }), testing::HasSubstr("memory"));
}

TEST(Fit, SaysThatNoFiniteModelWasFound) {
  const Problem problem = small_counts();
  const Loss hopeless = user_loss(
      "hopeless", [](double, double) { return std::nan(""); }, [](double, double) { return 1.0; });
  EXPECT_THAT(error_of(ErrorKind::diverged, [&] { fit(problem.tensor, hopeless, quick("")); }),
              testing::HasSubstr("no start found a finite model"));
}

TEST(Fit, AnInterruptKeepsTheBestSoFar) {
  const Problem problem = small_counts();
  FitOptions options = quick();
  options.schedule.epochs = 1'000'000;
  std::atomic<bool> stop = false;
  Monitor monitor;
  monitor.interrupt = &stop;
  monitor.on_epoch = [&](const Progress& p) { stop = stop || p.row.epoch >= 3; };
  const FitResult result = fit(problem.tensor, options, monitor);
  EXPECT_EQ(result.why, StopReason::interrupted);
  EXPECT_LT(result.estimate, result.starts[result.best_start].trace[0].estimate);
}

TEST(Fit, HandlesTensorsWithoutZerosOrWithoutNonzeros) {
  Records all(2);
  for (Index i = 0; i < 3; ++i) {
    for (Index j = 0; j < 4; ++j) {
      const Index index[2] = {i, j};
      all.append(index, 1.0 + i + j);
    }
  }
  for (const SamplerKind sampler :
       {SamplerKind::uniform, SamplerKind::stratified, SamplerKind::semi_stratified, SamplerKind::exact_zeros}) {
    FitOptions options = quick();
    options.sample.sampler = sampler;
    const FitResult full = fit(SparseTensor(IndexSpace({3, 4}), all), options);
    EXPECT_TRUE(full.model.factors.all_finite());
    const FitResult none = fit(SparseTensor(IndexSpace({3, 4}), Records(2)), options);
    EXPECT_TRUE(none.model.factors.all_finite());
    EXPECT_NEAR(*none.exact_loss, 0, 1e-3) << "a tensor of zeros is fitted by zeros";
  }
}

TEST(Fit, ModelFileKeepsHowItWasMade) {
  const Problem problem = small_counts();
  const FitResult result = fit(problem.tensor, quick());
  const ModelFile file = to_model_file(result);
  EXPECT_EQ(file.options->json["loss"], "poisson");
  EXPECT_EQ(file.traces.size(), 3u);
  EXPECT_EQ(file.summary->json["starts"].size(), 3u);
  EXPECT_EQ(file.summary->json["estimate"], result.estimate);
}

}  // namespace
}  // namespace polyad
