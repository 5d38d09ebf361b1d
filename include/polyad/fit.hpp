#pragma once
// The door: plan(tensor, options) -> FitPlan, fit(plan) -> FitResult, or both at once. The command line, the Python package and
// every program that uses the library go through here.
//
//   polyad::FitOptions options;
//   options.rank = 10;
//   options.loss = "poisson";
//   polyad::FitResult result = polyad::fit(tensor, options);

#include <polyad/loss.hpp>
#include <polyad/model.hpp>
#include <polyad/options.hpp>
#include <polyad/progress.hpp>
#include <polyad/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace polyad {

// --- before -----------------------------------------------------------------------------------------------------------------------

/// Data in two parts: cells that a fit may see, and cells that it is judged on. The held-out cells are drawn by strata, nonzeros and
/// zeros, each with a weight, so that
///
///   sum over held-out cells of weight * f(x, m)   is an unbiased estimate of   F = sum over all observed cells of w f(x, m)
///
/// In a sparse tensor whose zeros cannot all be listed, zeros are held out at a smaller rate than nonzeros, and the weight of the
/// zeros that stay is lowered accordingly, so that training still minimises an unbiased estimate of F. A slice that has one data cell,
/// or would lose all its data, stays in training as a whole; the weights then stand for the other slices.
struct HeldOutSplit {
  Tensor training;  ///< the held-out cells are missing in it
  Records cells;    ///< held-out cells with values and weights: first nonzeros (or listed cells), then zeros
  std::size_t first_stratum = 0;  ///< how many of them are of the first stratum; all, where there is one
  std::vector<std::uint64_t> units =
      {};                         ///< per cell: the run it was held out with, where these are blocks; otherwise empty
  std::uint64_t kept_slices = 0;  ///< that stay in training as a whole
  std::string description = {};   ///< "4,213 nonzeros and 168,520 zeros"
  std::vector<std::string> remarks = {};  ///< what is to be known about it, one line each; mostly none
};

/// Holds out the cells that `options` name. O(stored cells), and a copy of the tensor. Errors: an option that cannot be read, blocks
/// that do not fit their mode, too few cells to judge by.
HeldOutSplit hold_out(const Tensor& tensor, const HoldoutOptions& options);

/// What a fit may be given besides data and options.
struct FitInputs {
  const KTensor* start_from = nullptr;  ///< the guess of the first start; needed where a mode is fixed
};

/// The solver with its sampler, partition and estimate batch, bounds and guesses (fit/plan.hpp).
struct PreparedFit;

/// Everything that a fit will do, decided once and before its long part begins. It can be printed, and executed any number of
/// times.
struct FitPlan {
  const Tensor* tensor = nullptr;  ///< must outlive the plan; of held-out data the part that is fitted
  Loss loss;
  FitOptions options;                    ///< resolved: nothing that the fit uses is auto
  std::string sampling;                  ///< what an iteration looks at: "500 of 524,468 nonzeros and ..."
  std::string method_reason;             ///< why this method was chosen; empty where it was asked for
  SimdTarget simd = SimdTarget::scalar;  ///< what planning used and the fit will use
  std::vector<std::string> remarks;      ///< what is to be known before reading results, one line each; mostly none
  double seconds = 0;                    ///< that planning took
  std::shared_ptr<const PreparedFit> prepared;
  std::shared_ptr<const HeldOutSplit> held_out;  ///< null: the fit sees all data
};

/// Validates, checks the data against the loss, resolves what is auto and prepares the solver; throws where the fit cannot be
/// done.
FitPlan plan(const Tensor& tensor, const FitOptions& options, const FitInputs& inputs = {});
/// The same for a loss of your own (options.loss is then only a name).
FitPlan plan(const Tensor& tensor, const Loss& loss, const FitOptions& options, const FitInputs& inputs = {});

/// The plan for people, in a few lines. It may hold option names (shown_options in error.hpp).
std::string describe(const FitPlan& plan);

/// The losses that suit the values of a tensor, best first, with the reason: {"poisson", "counts (0 to 101)"}. O(stored cells).
struct LossAdvice {
  std::string loss;
  std::string reason;
};
std::vector<LossAdvice> advise_losses(const Tensor& tensor);

// --- after ------------------------------------------------------------------------------------------------------------------------

/// How good a model is: its loss between that of the best constant and that of a model that equals the data, and how flat the
/// objective is where it stands. Exact where that is cheap enough, else estimated on the fixed sample, all three losses on the
/// same cells.
struct ModelQuality {
  double loss = 0;
  double null_loss = 0;       ///< of the best constant
  double best_loss = 0;       ///< of a model that equals the data
  double null_value = 0;      ///< the best constant, as m
  bool exact = false;         ///< over all observed cells
  double standard_error = 0;  ///< of `loss`, where it is estimated
  /// Euclidean norm of the gradient, each entry only as far as a bound leaves room for a step of the mode's typical size.
  /// Components are balanced over the modes where bounds allow it. Nothing where it would take too long.
  std::optional<double> gradient;
  /// The same times the norm of the factors, as a part of the null deviance: how much a change of the factors by their own
  /// size would gain, to first order. It does not depend on units.
  std::optional<double> relative_gradient;

  /// The part of the deviance that the model explains, 1 at best; NaN where there is none, as all data are alike.
  double explained() const;
};

/// What to think of a model: whether it is an end (and how far from one), whether it beats the best constant, which components do
/// no work, whether starts agree, and how it does on held-out cells. Made at the end of every fit; `evaluate` makes one for any
/// model.
struct FitVerdict {
  ModelQuality quality;
  IdleComponents idle;  ///< by position in the model
  std::size_t rank = 0;
  std::optional<double> last_change;  ///< of the estimate in the last epoch, as a part of the deviance; stochastic ends
  std::optional<double> nearest_start;       ///< how alike the best start and the one most like it are (1: the same)
  std::optional<double> held_out_explained;  ///< deviance explained in cells that the fit did not see

  /// A relative gradient of at most this, or where there is none a last change of at most that, counts as an end.
  static constexpr double flat = 1e-3;
  static constexpr double still = 1e-4;

  bool finite() const;
  /// All observed values are the same as far as the loss can tell: there is nothing to explain.
  bool nothing_to_explain() const;
  bool zero_model() const { return rank > 0 && idle.dead.size() == rank; }
  bool worse_than_constant() const;
  /// A model that should not be used: worse than the best constant, or nothing but zeros where the data are not.
  bool unusable() const;
  /// At an end of the objective, and nothing above or below is wrong with it. Never true of a model with idle components.
  bool converged() const;
};

/// "converged, 66 % of the deviance explained", "not fully converged: relative error about 0.004, 61 % of ..."
std::string sentence(const FitVerdict& verdict);
/// What is wrong, one line each and most serious first; empty where nothing is.
std::vector<std::string> warnings(const FitVerdict& verdict);

/// One start, as remembered after the fit.
struct StartSummary {
  std::uint64_t start = 0;
  double estimate = 0;
  std::optional<double> exact_loss;  ///< of the start's own solution, before a finish; where that is cheap
  double seconds = 0;
  StopReason why = StopReason::epochs_done;
  Trace trace;       ///< rows of rate 0 are exact iterations
  std::string note;  ///< how near an exact method came: "largest KKT violation 8.1e-05"

  /// What starts are compared by where exact losses are not known: the lowest estimate of the epochs, which an exact finish of the
  /// best start does not enter; the objective of a method without epochs.
  double before_finish() const;
};

struct FitResult {
  KTensor model;  ///< unit columns, largest component first (component_sizes), signs resolved
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
  std::shared_ptr<const HeldOutSplit> held_out;  ///< the data as they were divided; null: the fit saw all of them
};

/// How the best start ended, for experts: "the best start ended with: all iterations done, largest KKT violation 8.1e-05, relative
/// gradient 2.1e-06".
std::string details(const FitResult& result);

/// Executes a plan, which can be executed again. Throws Error(diverged) where no start found a finite model.
FitResult fit(const FitPlan& plan, const Monitor& monitor = {});

/// Plans and fits.
FitResult fit(const Tensor& tensor, const FitOptions& options, const Monitor& monitor = {},
              const FitInputs& inputs = {});
/// The same for a loss of your own (options.loss is then only a name).
FitResult fit(const Tensor& tensor, const Loss& loss, const FitOptions& options, const Monitor& monitor = {},
              const FitInputs& inputs = {});

}  // namespace polyad
