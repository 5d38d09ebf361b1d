// Algorithm 4 step by step: what is restored, what goes on, when it stops.

#include <polyad/kernel/batch_objective.hpp>
#include <polyad/loss.hpp>
#include <polyad/loss/all.hpp>
#include <polyad/model/guess.hpp>
#include <polyad/sample/sampler.hpp>
#include <polyad/solve/bounds.hpp>
#include <polyad/solve/gcp_sgd.hpp>

#include "special_values.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace polyad {
namespace {

SparseTensor counts() {
  const IndexSpace space({6, 5, 4});
  Records records(3);
  for (Index i = 0; i < 6; ++i) {
    for (Index j = 0; j < 5; ++j) {
      const Index index[3] = {i, j, (i + 2 * j) % 4};
      records.append(index, 1 + (i * j) % 3);
    }
  }
  return SparseTensor(space, std::move(records));
}

// Everything a run needs, with knobs.
struct Setting {
  Tensor tensor = counts();
  Loss loss = parse_loss("poisson");
  SampleOptions sample;
  OptimizerOptions optimizer;
  ScheduleOptions schedule;
  StopOptions stop;
  Monitor monitor;
  std::size_t threads = 1;

  Setting() {
    sample.sampler = SamplerKind::stratified;
    sample.samples = 20;
    schedule.epoch_iterations = 10;
    schedule.epochs = 6;
  }

  StartResult run(const Sampler* given = nullptr) {
    sample = resolve(sample, tensor, loss.info());
    const auto made = make_sampler(tensor, loss.info(), sample);
    const auto rule = make_optimizer(optimizer);
    const Schedule plan(schedule);
    const Batch judge = exhaustive_batch(tensor);
    const Factors guess = random_guess(tensor.space(), 2, GuessKind::uniform, tensor.norm(), 1, 0);
    const auto segments = make_segments({}, loss.info().lower, guess, tensor.labels());
    const GcpProblem problem{loss, given ? *given : *made, judge, *rule, plan, segments, stop};
    Progress about;
    about.epochs = *schedule.epochs;
    return gcp_sgd(problem, guess, RandomStream(1, Purpose::gradient, 0), about, monitor, Stopwatch(), threads);
  }
};

// Remembers which draws were asked for.
class Recorder : public Sampler {
 public:
  explicit Recorder(const Sampler& inner) : inner_(inner) {}
  const Partition& partition() const override { return inner_.partition(); }
  double all_cells() const override { return inner_.all_cells(); }
  void draw_part(const RandomStream& stream, std::uint64_t draw, std::size_t part, Batch& batch) const override {
    asked.push_back(draw);
    inner_.draw_part(stream, draw, part, batch);
  }
  std::string describe() const override { return inner_.describe(); }
  mutable std::vector<std::uint64_t> asked;

 private:
  const Sampler& inner_;
};

// Remembers when it was refreshed, and for which models.
class Follower : public Sampler {
 public:
  struct Refresh {
    std::uint64_t iteration;
    std::uint64_t draws;  // made before
    Factors model;
  };
  struct Notes {
    std::vector<Refresh> refreshes;
    std::uint64_t draws = 0;
  };
  Follower(const Sampler& inner, Notes& notes) : inner_(inner), notes_(notes) {}
  const Partition& partition() const override { return inner_.partition(); }
  void draw_part(const RandomStream& stream, std::uint64_t draw, std::size_t part, Batch& batch) const override {
    ++notes_.draws;
    inner_.draw_part(stream, draw, part, batch);
  }
  std::uint64_t refresh_interval() const override { return 4; }
  std::unique_ptr<Sampler> refreshed(const Factors& model, const Loss&, std::uint64_t iteration,
                                     std::size_t) const override {
    notes_.refreshes.push_back({iteration, notes_.draws, model});
    return std::make_unique<Follower>(inner_, notes_);
  }
  std::string describe() const override { return inner_.describe(); }

 private:
  const Sampler& inner_;
  Notes& notes_;
};

TEST(GcpSgd, ASamplerThatFollowsTheModelIsRefreshedAtFixedIterations) {
  Setting setting;
  setting.sample = resolve(setting.sample, setting.tensor, setting.loss.info());
  const auto plain = make_sampler(setting.tensor, setting.loss.info(), setting.sample);
  Follower::Notes notes;
  const StartResult followed = setting.run(std::make_unique<Follower>(*plain, notes).get());
  ASSERT_EQ(notes.refreshes.size(), 3 * 6u) << "at iterations 0, 4 and 8 of six epochs of ten";
  for (std::size_t r = 0; r < notes.refreshes.size(); ++r) {
    EXPECT_EQ(notes.refreshes[r].iteration, r % 3 * 4);
    EXPECT_EQ(notes.refreshes[r].draws, r / 3 * 10 + r % 3 * 4);
    if (r > 0) {
      EXPECT_NE(notes.refreshes[r].model, notes.refreshes[r - 1].model);
    }
  }
  // Stretches change neither rates nor draws.
  const StartResult straight = setting.run(plain.get());
  EXPECT_EQ(followed.factors, straight.factors);
  EXPECT_EQ(followed.estimate, straight.estimate);
}

TEST(GcpSgd, ImportanceGivesTheSameBitsOnAnyNumberOfThreads) {
  for (const bool adaptive : {false, true}) {
    for (const ImportanceZeros zeros : {ImportanceZeros::drawn, ImportanceZeros::exact}) {
      Setting setting;
      setting.sample.sampler = SamplerKind::importance;
      setting.sample.parts = 3;
      setting.sample.importance.zeros = zeros;
      setting.sample.importance.adaptive = adaptive;
      setting.sample.importance.refresh = 4;
      const StartResult one = setting.run();
      EXPECT_LT(one.estimate, one.trace[0].estimate);
      for (const std::size_t threads : {2, 3}) {
        setting.threads = threads;
        EXPECT_EQ(setting.run().factors, one.factors) << threads << " threads";
      }
    }
  }
}

TEST(GcpSgd, LowersTheObjectiveAndReportsTheBest) {
  Setting setting;
  setting.schedule.epoch_iterations = 100;
  const StartResult result = setting.run();
  ASSERT_EQ(result.trace.size(), 7u);
  EXPECT_EQ(result.trace[0].epoch, 0u);
  EXPECT_LT(result.estimate, result.trace[0].estimate);
  double least = infinity;
  for (const TraceRow& row : result.trace) least = std::min(least, row.estimate);
  EXPECT_EQ(result.estimate, least);
  EXPECT_EQ(result.estimate, estimate(result.factors, exhaustive_batch(setting.tensor), setting.loss));
  EXPECT_EQ(result.why, StopReason::epochs_done);
  for (const double a : result.factors.flat()) EXPECT_GE(a, 0.0);
}

TEST(GcpSgd, PaperScheduleUndoesBadEpochsDecaysAndStops) {
  Setting setting;
  setting.schedule.kind = ScheduleKind::paper;
  setting.schedule.rate = 3;  // far too large: epochs go bad
  setting.schedule.epochs = 500;
  setting.sample = resolve(setting.sample, setting.tensor, setting.loss.info());
  const auto noisy = make_sampler(setting.tensor, setting.loss.info(), setting.sample);
  const Recorder recorder(*noisy);
  const StartResult result = setting.run(&recorder);
  std::size_t bad = 0;
  double standing = result.trace[0].estimate;
  double rate = 3;
  for (std::size_t e = 1; e < result.trace.size(); ++e) {
    const TraceRow& row = result.trace[e];
    EXPECT_DOUBLE_EQ(row.rate, rate);
    EXPECT_EQ(row.accepted, row.estimate <= standing);
    if (row.accepted) {
      standing = row.estimate;
    } else {
      ++bad;
      rate *= 0.1;
    }
  }
  EXPECT_EQ(bad, 2u) << "kappa + 1";
  EXPECT_EQ(result.why, StopReason::no_decrease);
  EXPECT_EQ(result.estimate, standing);
  // The random stream goes on after a restore: every draw number is used once, in order.
  ASSERT_EQ(recorder.asked.size(), 10 * (result.trace.size() - 1));
  for (std::size_t i = 0; i < recorder.asked.size(); ++i) EXPECT_EQ(recorder.asked[i], i);
}

// After an undone epoch the next one starts from the saved factors AND moments: replaying by hand must agree.
TEST(GcpSgd, RestoreBringsBackFactorsMomentsAndStepCount) {
  Setting setting;
  setting.schedule.kind = ScheduleKind::paper;
  setting.schedule.rate = 3;
  setting.schedule.epochs = 3;
  setting.schedule.max_bad_epochs = 5;
  setting.sample.sampler = SamplerKind::exhaustive;
  setting.sample.samples.reset();
  const StartResult result = setting.run();
  ASSERT_FALSE(result.trace[1].accepted) << "the case is meant to begin with a bad epoch";

  const Batch all = exhaustive_batch(setting.tensor);
  const auto rule = make_optimizer(setting.optimizer);
  Factors a = random_guess(setting.tensor.space(), 2, GuessKind::uniform, setting.tensor.norm(), 1, 0);
  const auto segments = make_segments({}, 0.0, a, setting.tensor.labels());
  Moments moments = rule->start(a.flat().size());
  Factors g = a;
  std::vector<double> expected;
  double rate = 3;
  double standing = estimate(a, all, setting.loss);
  for (int epoch = 0; epoch < 3; ++epoch) {
    const Factors saved = a;
    const Moments saved_moments = moments;
    for (int i = 0; i < 10; ++i) {
      sampled_gradient(a, all, setting.loss, g);
      rule->step(a.flat(), g.flat(), moments, rate, segments);
    }
    const double after = estimate(a, all, setting.loss);
    expected.push_back(after);
    if (after > standing) {
      a = saved;
      moments = saved_moments;
      rate *= 0.1;
    } else {
      standing = after;
    }
  }
  for (int epoch = 0; epoch < 3; ++epoch) EXPECT_EQ(result.trace[epoch + 1].estimate, expected[epoch]) << epoch;
}

TEST(GcpSgd, NonFiniteEpochsAreUndoneUnderEverySchedule) {
  // A loss that turns into NaN once the model has grown: the first epochs at a large rate fail, later ones do not.
  const Loss fragile = user_loss(
      "fragile", [](double x, double m) { return m > 8 ? std::nan("") : (x - m) * (x - m); },
      [](double x, double m) { return 2 * (m - x); });
  for (const ScheduleKind kind : {ScheduleKind::paper, ScheduleKind::cosine, ScheduleKind::constant}) {
    Setting setting;
    setting.loss = fragile;
    setting.schedule.kind = kind;
    setting.schedule.rate = 2;
    setting.schedule.epochs = 12;
    setting.schedule.max_bad_epochs = 11;
    const StartResult result = setting.run();
    EXPECT_TRUE(std::isfinite(result.estimate));
    EXPECT_TRUE(result.factors.all_finite());
    bool undone = false;
    for (const TraceRow& row : result.trace) {
      if (!std::isfinite(row.estimate)) {
        undone = true;
        EXPECT_FALSE(row.accepted);
      }
    }
    EXPECT_TRUE(undone) << "the case is meant to fail at first";
  }
}

TEST(GcpSgd, SaysSoWhereNothingFiniteWasFound) {
  Setting setting;
  setting.loss = user_loss(
      "hopeless", [](double, double) { return std::nan(""); }, [](double, double) { return 1.0; });
  const StartResult result = setting.run();
  EXPECT_FALSE(std::isfinite(result.estimate));
}

TEST(GcpSgd, StopsAtTolerance) {
  Setting setting;
  setting.stop.tolerance = 0.9;
  const StartResult result = setting.run();
  EXPECT_EQ(result.why, StopReason::tolerance);
  EXPECT_EQ(result.trace.size(), 2u);
}

TEST(GcpSgd, StopsAtTheTimeLimitWithTheBestSoFar) {
  Setting setting;
  setting.schedule.epochs = 1'000'000;
  setting.stop.time_limit = 0.05;
  const Stopwatch clock;
  const StartResult result = setting.run();
  EXPECT_EQ(result.why, StopReason::time_limit);
  EXPECT_LT(clock.seconds(), 2.0);
  EXPECT_LT(result.estimate, result.trace[0].estimate);
}

TEST(GcpSgd, AnInterruptEndsItAtTheNextIteration) {
  Setting setting;
  std::atomic<bool> stop = false;
  setting.monitor.interrupt = &stop;
  setting.monitor.on_epoch = [&](const Progress& p) { stop = p.row.epoch == 2; };
  setting.sample = resolve(setting.sample, setting.tensor, setting.loss.info());
  const auto sampler = make_sampler(setting.tensor, setting.loss.info(), setting.sample);
  const Recorder recorder(*sampler);
  const StartResult result = setting.run(&recorder);
  EXPECT_EQ(result.why, StopReason::interrupted);
  EXPECT_EQ(recorder.asked.size(), 20u);
  EXPECT_TRUE(std::isfinite(result.estimate));
}

}  // namespace
}  // namespace polyad
