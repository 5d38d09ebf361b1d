#pragma once
// The stochastic method (gcp_sgd.hpp) with everything it needs, as one of the solvers.

#include <polyad/loss.hpp>
#include <polyad/optim/optimizer.hpp>
#include <polyad/optim/schedule.hpp>
#include <polyad/options/method.hpp>
#include <polyad/sample/sampler.hpp>
#include <polyad/solve/solver.hpp>
#include <polyad/tensor/tensor.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace polyad {

/// Resolved: nothing is auto.
struct SgdSettings {
  SampleOptions sample;
  ScheduleOptions schedule;
  OptimizerOptions optimizer;
  Precision precision = Precision::in_double;
  std::uint64_t seed = 1;
};

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
