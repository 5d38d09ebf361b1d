#pragma once
// The door: plan(tensor, options) -> FitPlan (plan.hpp), fit(plan) -> FitResult, or both at once. The library, the command line
// and the model files all go through here.
//
//   polyad::FitOptions options;
//   options.rank = 10;
//   options.loss = "poisson";
//   polyad::FitResult result = polyad::fit(tensor, options);

#include <polyad/fit/plan.hpp>
#include <polyad/fit/verdict.hpp>
#include <polyad/loss/block.hpp>
#include <polyad/model/ktensor.hpp>
#include <polyad/model/likeness.hpp>
#include <polyad/solve/fit_options.hpp>
#include <polyad/solve/solver.hpp>
#include <polyad/tensor/tensor.hpp>

#include <optional>
#include <string>
#include <vector>

namespace polyad {

struct ModelFile;  // io/model_file.hpp

/// One start, as remembered after the fit.
struct StartSummary {
  std::uint64_t start = 0;
  double estimate = 0;
  std::optional<double> exact_loss;  ///< of the start's own solution, before a finish; where that is cheap
  double seconds = 0;
  StopReason why = StopReason::epochs_done;
  Trace trace;       ///< rows of rate 0 are exact iterations
  std::string note;  ///< how near an exact method came: "largest KKT violation 8.1e-05"
};

struct FitResult {
  KTensor model;  ///< unit columns, weights largest first, signs resolved
  Labels labels;
  FitOptions options;  ///< as used: nothing is auto any more
  std::vector<StartSummary> starts;
  std::size_t best_start = 0;        ///< position in `starts`
  double estimate = 0;               ///< the model's objective: estimated, or exact after an exact method or finish
  std::optional<double> exact_loss;  ///< the exact objective, where it costs no more than about a second
  StopReason why = StopReason::epochs_done;
  FitVerdict verdict;  ///< what to think of the model
  double seconds = 0;
  SimdTarget simd = SimdTarget::scalar;  ///< bits hold for one instruction set, or for all where it is portable
  std::vector<std::string> remarks;      ///< what is to be known about these results, one line each; mostly none
  std::string checkpoint_trouble;        ///< why the last checkpoint could not be written; empty: it could
  StartLikeness likeness;                ///< of the starts' solutions; empty for one start
  std::string sampling;                  ///< what an iteration looked at: "500 of 524,468 nonzeros and ..."
};

/// Executes a plan, which can be executed again. Throws Error(diverged) where no start found a finite model.
FitResult fit(const FitPlan& plan, const Monitor& monitor = {});

/// Plans and fits.
FitResult fit(const Tensor& tensor, const FitOptions& options, const Monitor& monitor = {},
              const FitInputs& inputs = {});
/// The same for a loss of the user's own (options.loss is then only a name).
FitResult fit(const Tensor& tensor, const Loss& loss, const FitOptions& options, const Monitor& monitor = {},
              const FitInputs& inputs = {});

/// Everything about the result that a model file keeps.
ModelFile to_model_file(const FitResult& result);

}  // namespace polyad
