#pragma once
// GCP with exact objective and gradient by L-BFGS-B: the non-stochastic method of Hong, Kolda and Duersch (Generalized
// canonical polyadic tensor decomposition, 2020), for any loss, weights, missing cells and bounds. An iteration costs about one
// evaluation (kernel/exact_objective.hpp).

#include <polyad/kernel/exact_objective.hpp>
#include <polyad/optim/lbfgsb.hpp>
#include <polyad/optim/optimizer.hpp>
#include <polyad/solve/solver.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace polyad {

class GcpFull final : public Solver {
 public:
  /// Segments are the modes' bounds; fixed modes are no parameters.
  GcpFull(const Tensor& tensor, const Loss& loss, std::vector<Segment> segments, LbfgsbSettings settings,
          std::uint64_t iterations);

  StartResult run(Factors guess, const StartContext& context) const override;
  std::string describe() const override;

 private:
  ExactGradient evaluate_;
  std::vector<Segment> segments_;
  LbfgsbSettings settings_;
  std::uint64_t iterations_;
};

}  // namespace polyad
