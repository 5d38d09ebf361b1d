#pragma once
// Stochastic GCP (Algorithm 4 of the paper): epochs of sampled-gradient steps, judged by an estimate of the objective on
// a fixed sample.
//
//   while not finished:
//     save (A, moments, t, estimate)
//     tau times: draw a batch; G~ = gradient; step; bounds
//     estimate; accept, or restore what was saved (schedule.hpp says which)
//
// The state is two copyable values: what rewinds on a bad epoch, and what never does. In particular the draw counter never
// rewinds: after a restore the random stream goes on instead of repeating the failed epoch's draws.

#include <polyad/base/clock.hpp>
#include <polyad/loss.hpp>
#include <polyad/model.hpp>
#include <polyad/optim/optimizer.hpp>
#include <polyad/optim/schedule.hpp>
#include <polyad/options/method.hpp>
#include <polyad/progress.hpp>
#include <polyad/sample/sampler.hpp>
#include <polyad/solve/solver.hpp>
#include <polyad/tensor.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace polyad {

/// What is to be solved: references to things that outlive the run and are shared by all starts.
struct GcpProblem {
  const Loss& loss;
  const Sampler& sampler;
  const Batch& estimate_batch;
  const Optimizer& optimizer;
  const Schedule& schedule;
  const std::vector<Segment>& segments;
  const StopOptions& stop;
  Precision precision = Precision::in_double;
};

/// What a restore brings back.
template <class T>
struct RewindStateOf {
  FactorsOf<T> factors;
  MomentsOf<T> moments;
  double estimate = 0;
};

/// What only ever goes forward.
template <class T>
struct ForwardStateOf {
  std::uint64_t draws = 0;
  ScheduleState schedule;
  FactorsOf<T> best_factors;
  double best_estimate = 0;
  Trace trace;
};

/// Runs one start from `guess` (within its bounds), drawing from `stream`. `since_fit_began` is what time_limit counts
/// against. The result does not depend on `threads`.
StartResult gcp_sgd(const GcpProblem& problem, Factors guess, RandomStream stream, const Progress& about_start,
                    const Monitor& monitor, const Stopwatch& since_fit_began, ThreadBudget threads = 1);

/// Resolved: nothing is auto.
struct SgdSettings {
  SampleOptions sample;
  ScheduleOptions schedule;
  OptimizerOptions optimizer;
  Precision precision = Precision::in_double;
  std::uint64_t seed = 1;
};

/// The method with everything it needs, as one of the solvers.
class SgdSolver final : public Solver {
 public:
  /// The tensor must outlive it.
  SgdSolver(const Tensor& tensor, const Loss& loss, std::vector<Segment> segments, const SgdSettings& settings);

  StartResult run(Factors guess, const StartContext& context) const override;
  std::string describe() const override { return sampler_->describe(); }

 private:
  Loss loss_;
  std::vector<Segment> segments_;
  std::unique_ptr<Sampler> sampler_;
  std::unique_ptr<Optimizer> optimizer_;
  Schedule schedule_;
  Batch judge_;
  Precision precision_;
  std::uint64_t seed_;
};

}  // namespace polyad
