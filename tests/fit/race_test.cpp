// Guesses that race to become starts, and the look around the best of them (fit/race.hpp).

#include <polyad/fit.hpp>
#include <polyad/fit/plan.hpp>
#include <polyad/fit/race.hpp>
#include <polyad/kernel/exact_objective.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <random>

namespace polyad {
namespace {

using testing::HasSubstr;

// Numbers with heavy tails: objectives of `huber` have many minima here.
Tensor rough_numbers() {
  AlignedVector<double> values(7 * 6 * 5);
  std::mt19937_64 draw(4);
  for (double& x : values) {
    const double u = static_cast<double>(draw() % 1000) / 1000 - 0.5;
    x = 3 * u * u * u * 8 + static_cast<double>(draw() % 100) / 100;
  }
  return Tensor(DenseTensor(IndexSpace({7, 6, 5}), std::move(values)));
}

FitOptions huber(std::uint64_t starts, std::uint64_t tries) {
  FitOptions options;
  options.rank = 2;
  options.loss = "huber";
  options.method = "gcp-full";
  options.starts = starts;
  options.guess.tries = tries;
  options.threads = 1;
  return options;
}

StartContext alone(const Monitor& monitor, const Stopwatch& clock, const StopOptions& stop) {
  return {monitor, clock, stop, 0, 1, 1};
}

double objective(const Factors& model, const FitPlan& plan) {
  return *exact_objective(model, *plan.tensor, plan.prepared->units.loss(), 1e6, 1);
}

TEST(Race, TheBestOfAllTriesBecomeTheStartsLowestFirst) {
  const Tensor tensor = rough_numbers();
  const FitPlan planned = plan(tensor, huber(4, 40));
  const Stopwatch clock;
  const Monitor monitor;
  const RacedGuesses raced(planned, alone(monitor, clock, planned.options.stop));
  std::vector<double> all;
  for (std::size_t n = 0; n < 40; ++n) {
    Factors guess = planned.prepared->guesses.guess(planned.options, planned.prepared->segments, n);
    all.push_back(planned.prepared->trial->run(std::move(guess), alone(monitor, clock, planned.options.stop)).estimate);
  }
  std::ranges::sort(all);
  for (std::size_t start = 0; start < 4; ++start)
    EXPECT_EQ(objective(raced.guess(start), planned), all[start]) << start;
  EXPECT_LT(all[0], all[20]) << "tries differ";
}

TEST(Race, FindsLowerMinimaThanAsManyPlainStarts) {
  const Tensor tensor = rough_numbers();
  double without = 0, with = 0;
  for (const std::uint64_t seed : {1, 2, 3}) {
    FitOptions options = huber(1, 1);
    options.guess.kind = GuessKind::normal;
    options.seed = seed;
    without += *fit(tensor, options).exact_loss;
    options.guess.tries = 100;
    with += *fit(tensor, options).exact_loss;
  }
  EXPECT_LT(with, 0.99 * without);
}

TEST(Race, GivesTheSameBitsOnAnyNumberOfThreads) {
  const Tensor tensor = rough_numbers();
  FitOptions options = huber(3, 30);
  const KTensor one = fit(tensor, options).model;
  for (const std::uint64_t threads : {2, 5}) {
    options.threads = threads;
    EXPECT_EQ(fit(tensor, options).model, one) << threads << " threads";
  }
}

TEST(Race, IsStatedAndOnlyWhereThereIsOne) {
  const Tensor tensor = rough_numbers();
  FitOptions options = huber(3, 30);
  EXPECT_THAT(describe(plan(tensor, options)),
              HasSubstr("30 random guesses are followed for 20 iterations each, the best of them are the starts"));
  options.guess.tries = 3;
  EXPECT_EQ(plan(tensor, options).prepared->trial, nullptr) << "as many as starts";
  options.guess.tries.reset();
  EXPECT_EQ(plan(tensor, options).prepared->trial, nullptr) << "the method was asked for";
  options.method.reset();
  EXPECT_EQ(plan(tensor, options).prepared->trial, nullptr) << "the number of starts was";
  options.starts.reset();
  const FitPlan by_data = plan(tensor, options);
  EXPECT_NE(by_data.prepared->trial, nullptr);
  EXPECT_GE(*by_data.options.guess.tries, 100u);
  EXPECT_EQ(by_data.options.guess.kind, GuessKind::mixed) << "factors may have either sign";
  options.bounds.lower = 0;
  EXPECT_EQ(plan(tensor, options).options.guess.kind, GuessKind::uniform);
}

TEST(Race, AGivenModelIsTheFirstStartWhateverItsLoss) {
  const Tensor tensor = rough_numbers();
  KTensor model(Factors({7, 6, 5}, 2));
  for (double& a : model.factors.flat()) a = 1;
  const FitPlan planned = plan(tensor, huber(2, 20), {.start_from = &model});
  const Stopwatch clock;
  const Monitor monitor;
  const RacedGuesses raced(planned, alone(monitor, clock, planned.options.stop));
  Factors guess = planned.prepared->guesses.guess(planned.options, planned.prepared->segments, 0);
  const StartResult followed =
      planned.prepared->trial->run(std::move(guess), alone(monitor, clock, planned.options.stop));
  EXPECT_TRUE(std::ranges::equal(raced.guess(0).flat(), followed.factors.flat()));
}

TEST(Race, AnInterruptLeavesPlainGuesses) {
  const Tensor tensor = rough_numbers();
  const FitPlan planned = plan(tensor, huber(3, 30));
  const std::atomic<bool> now = true;
  Monitor monitor;
  monitor.interrupt = &now;
  const Stopwatch clock;
  const RacedGuesses raced(planned, alone(monitor, clock, planned.options.stop));
  EXPECT_TRUE(raced.guess(2).all_finite());
  EXPECT_EQ(fit(planned, monitor).why, StopReason::interrupted);
}

// From the end of each of many single starts: never higher, often lower, and an end again.
TEST(Nearby, FindsLowerMinimaAndNeverHigherOnes) {
  const Tensor tensor = rough_numbers();
  const FitPlan planned = plan(tensor, huber(10, 20));
  const Stopwatch clock;
  const Monitor monitor;
  int lower = 0;
  for (std::size_t n = 0; n < 8; ++n) {
    Factors guess = planned.prepared->guesses.guess(planned.options, planned.prepared->segments, 100 + n);
    StartResult best = planned.prepared->solver->run(std::move(guess), alone(monitor, clock, planned.options.stop));
    const double before = best.estimate;
    look_nearby(planned, best, alone(monitor, clock, planned.options.stop), [] { return false; });
    EXPECT_LE(best.estimate, before);
    EXPECT_NEAR(objective(best.factors, planned), best.estimate, 1e-9 * std::abs(best.estimate));
    lower += best.estimate < 0.999 * before ? 1 : 0;
  }
  EXPECT_GE(lower, 4);
}

}  // namespace
}  // namespace polyad
