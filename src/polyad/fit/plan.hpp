#pragma once
// Everything that a fit will do, decided once and before its long part begins: the loss, the options with nothing left to
// choose, bounds, guesses, and the solver with its sampler, partition and estimate batch. The command line prints it, `fit`
// executes it (fit.hpp).

#include <polyad/base/simd_target.hpp>
#include <polyad/fit/starting_guess.hpp>
#include <polyad/fit/units.hpp>
#include <polyad/loss/block.hpp>
#include <polyad/model/ktensor.hpp>
#include <polyad/solve/fit_options.hpp>
#include <polyad/solve/solver.hpp>
#include <polyad/tensor/tensor.hpp>

#include <memory>
#include <string>
#include <vector>

namespace polyad {

/// What a fit may be given besides data and options.
struct FitInputs {
  const KTensor* start_from = nullptr;  ///< the guess of the first start; needed where a mode is fixed
};

struct FitPlan {
  const Tensor* tensor = nullptr;  ///< must outlive the plan
  Loss loss;
  FitOptions options;             ///< resolved: nothing that the fit uses is auto
  std::vector<Segment> segments;  ///< the bounds of each mode
  FitUnits units;                 ///< guesses and solver are in the data's unit
  StartingGuesses guesses;
  std::unique_ptr<const Solver> solver;
  std::string sampling;                  ///< what an iteration looks at: "500 of 524,468 nonzeros and ..."
  SimdTarget simd = SimdTarget::scalar;  ///< what planning used and the fit will use
  std::string method_reason;             ///< why this method was chosen; empty where it was asked for
  std::vector<std::string> remarks;      ///< what is to be known before reading results, one line each; mostly none
  double seconds = 0;                    ///< that planning took
};

/// Validates, checks the data against the loss, resolves what is auto and prepares the solver; throws where the fit cannot be
/// done.
FitPlan plan(const Tensor& tensor, const FitOptions& options, const FitInputs& inputs = {});
/// The same for a loss of the user's own (options.loss is then only a name).
FitPlan plan(const Tensor& tensor, const Loss& loss, const FitOptions& options, const FitInputs& inputs = {});

/// The plan for people, in a few lines. It may hold option names (shown_options in base/error.hpp).
std::string describe(const FitPlan& plan);

}  // namespace polyad
