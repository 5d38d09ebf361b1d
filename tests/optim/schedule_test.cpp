#include <polyad/base/error.hpp>
#include <polyad/optim/schedule.hpp>

#include "special_values.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace polyad {
namespace {

ScheduleOptions of_kind(ScheduleKind kind) {
  ScheduleOptions o;
  o.kind = kind;
  return o;
}

TEST(Resolve, FillsWhatIsAuto) {
  EXPECT_EQ(resolve(of_kind(ScheduleKind::cosine)).epochs, 20u);
  EXPECT_EQ(resolve(of_kind(ScheduleKind::constant)).epochs, 20u);
  EXPECT_EQ(resolve(of_kind(ScheduleKind::paper)).epochs, 1000u);
  EXPECT_DOUBLE_EQ(*resolve(of_kind(ScheduleKind::cosine)).final_rate, 1e-5);
  ScheduleOptions o;
  o.epochs = 7;
  o.rate = 1e-3;
  EXPECT_EQ(resolve(o).epochs, 7u);
  EXPECT_DOUBLE_EQ(*resolve(o).final_rate, 1e-6);
  o.final_rate = 1e-4;
  EXPECT_EQ(resolve(o).final_rate, 1e-4);
}

TEST(Resolve, RefusesWhatBreaksARule) {
  const auto message = [](const ScheduleOptions& o) {
    try {
      resolve(o);
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::usage);
      return std::string(e.what());
    }
    return std::string("none");
  };
  ScheduleOptions o;
  o.rate = 0;
  EXPECT_EQ(message(o), "rate must be above 0 (is 0)");
  o = {};
  o.epochs = 0;
  EXPECT_EQ(message(o), "epochs must be at least 1 (is 0)");
  o = {};
  o.final_rate = 0.5;
  EXPECT_EQ(message(o), "final-rate must not exceed rate, which is 0.01 (is 0.5)");
  o.kind = ScheduleKind::constant;
  EXPECT_EQ(message(o), "none");
}

TEST(Cosine, FallsFromRateToFinalRate) {
  ScheduleOptions o;
  o.rate = 0.02;
  o.final_rate = 0.001;
  o.epochs = 10;
  o.epoch_iterations = 100;
  const Schedule schedule(o);
  ScheduleState state;
  EXPECT_DOUBLE_EQ(schedule.rate(state, 0), 0.02);
  state.epochs_run = 5;
  EXPECT_DOUBLE_EQ(schedule.rate(state, 0), (0.02 + 0.001) / 2);
  state.epochs_run = 10;
  EXPECT_DOUBLE_EQ(schedule.rate(state, 0), 0.001);
  state.epochs_run = 12;
  EXPECT_DOUBLE_EQ(schedule.rate(state, 50), 0.001);
  state.epochs_run = 3;
  const double pi = std::acos(-1.0);
  EXPECT_DOUBLE_EQ(schedule.rate(state, 33), 0.001 + 0.019 * 0.5 * (1 + std::cos(pi * 0.333)));

  double last = 1;
  for (state.epochs_run = 0; state.epochs_run < 10; ++state.epochs_run) {
    for (std::uint64_t i = 0; i < 100; ++i) {
      const double rate = schedule.rate(state, i);
      EXPECT_LT(rate, last);
      EXPECT_GT(rate, 0.001);
      last = rate;
    }
  }
}

TEST(Cosine, AcceptsARiseAndEndsAfterItsEpochs) {
  ScheduleOptions o;
  o.epochs = 3;
  const Schedule schedule(o);
  ScheduleState state;
  double estimate = 1;
  for (int epoch = 0; epoch < 3; ++epoch) {
    EXPECT_FALSE(schedule.finished(state));
    EXPECT_FALSE(schedule.finished(state));
    EXPECT_EQ(schedule.judge(state, estimate, estimate + 1), Verdict::accept);
    ++estimate;
  }
  EXPECT_EQ(state, (ScheduleState{.epochs_run = 3, .bad_epochs = 0, .scale = 1}));
  EXPECT_TRUE(schedule.finished(state));
  EXPECT_TRUE(schedule.finished(state) && !schedule.gave_up(state));
}

TEST(Constant, KeepsItsRate) {
  const Schedule schedule(of_kind(ScheduleKind::constant));
  ScheduleState state;
  for (state.epochs_run = 0; state.epochs_run < 40; state.epochs_run += 13) {
    EXPECT_EQ(schedule.rate(state, 999), 0.01);
  }
  EXPECT_EQ(schedule.judge(state, 1, 2), Verdict::accept);
}

TEST(CosineAndConstant, NonFiniteEpochsAreUndoneAndEndTheFitInTheEnd) {
  for (const auto kind : {ScheduleKind::cosine, ScheduleKind::constant}) {
    const Schedule schedule(of_kind(kind));
    ScheduleState state;
    const double bad[] = {nan, infinity, -infinity};
    for (std::uint64_t n = 1; n <= max_nonfinite_epochs; ++n) {
      EXPECT_FALSE(schedule.finished(state));
      ScheduleState unscaled = state;
      unscaled.scale = 1;
      EXPECT_DOUBLE_EQ(schedule.rate(state, 5), schedule.rate(unscaled, 5) * std::pow(0.1, n - 1));
      EXPECT_EQ(schedule.judge(state, 1, bad[n % 3]), Verdict::restore);
      EXPECT_EQ(state.bad_epochs, n);
      EXPECT_EQ(state.epochs_run, 2 * n - 1);
      EXPECT_EQ(schedule.judge(state, 1, 0.5), Verdict::accept);
    }
    EXPECT_TRUE(schedule.finished(state));
    EXPECT_TRUE(schedule.gave_up(state));
  }
}

TEST(Paper, UndoesARiseDecaysAndStopsAfterKappaPlusOne) {
  ScheduleOptions o = of_kind(ScheduleKind::paper);
  o.rate = 0.4;
  o.decay = 0.5;
  o.max_bad_epochs = 2;
  const Schedule schedule(o);
  struct Epoch {
    double before, after;
    Verdict verdict;
    double next_rate;
    std::uint64_t bad;
  };
  const Epoch epochs[] = {{10, 8, Verdict::accept, 0.4, 0},   {8, 9, Verdict::restore, 0.2, 1},
                          {8, 8, Verdict::accept, 0.2, 1},  // no change is no rise
                          {8, nan, Verdict::restore, 0.1, 2}, {8, 7, Verdict::accept, 0.1, 2},
                          {7, 7.5, Verdict::restore, 0.05, 3}};
  ScheduleState state;
  EXPECT_EQ(schedule.rate(state, 0), 0.4);
  for (const Epoch& e : epochs) {
    EXPECT_FALSE(schedule.finished(state));
    EXPECT_EQ(schedule.judge(state, e.before, e.after), e.verdict);
    EXPECT_EQ(schedule.rate(state, 0), e.next_rate);
    EXPECT_EQ(schedule.rate(state, 999), e.next_rate);
    EXPECT_EQ(state.bad_epochs, e.bad);
  }
  EXPECT_EQ(state.epochs_run, 6u);
  EXPECT_TRUE(schedule.finished(state));
  EXPECT_TRUE(schedule.gave_up(state));
}

TEST(Paper, WithKappaZeroTheFirstRiseEndsIt) {
  ScheduleOptions o = of_kind(ScheduleKind::paper);
  o.max_bad_epochs = 0;
  const Schedule schedule(o);
  ScheduleState state;
  EXPECT_FALSE(schedule.finished(state));
  schedule.judge(state, 1, 2);
  EXPECT_TRUE(schedule.finished(state));
}

TEST(Paper, EndsAtItsLimitOfEpochs) {
  ScheduleOptions o = of_kind(ScheduleKind::paper);
  o.epochs = 4;
  const Schedule schedule(o);
  ScheduleState state;
  for (int epoch = 0; epoch < 4; ++epoch) {
    EXPECT_FALSE(schedule.finished(state));
    EXPECT_EQ(schedule.judge(state, 10 - epoch, 9 - epoch), Verdict::accept);
  }
  EXPECT_TRUE(schedule.finished(state) && !schedule.gave_up(state));
}

TEST(Paper, AFiniteEpochAfterANonFiniteGuessIsAccepted) {
  const Schedule schedule(of_kind(ScheduleKind::paper));
  for (const double before : {nan, infinity}) {
    ScheduleState state;
    EXPECT_EQ(schedule.judge(state, before, 5), Verdict::accept);
  }
}

}  // namespace
}  // namespace polyad
