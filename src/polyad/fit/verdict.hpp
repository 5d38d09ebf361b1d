#pragma once
// What to think of a model, in a few facts and a sentence: whether it is an end (and how far from one), whether it beats the
// best constant, which components do no work, whether starts agree, and how it does on held-out cells. Made at the end of every
// fit; `evaluate` makes one for any model.

#include <polyad/base/json.hpp>
#include <polyad/fit/quality.hpp>
#include <polyad/model/idle.hpp>
#include <polyad/model/likeness.hpp>
#include <polyad/solve/solver.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace polyad {

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

/// "converged (relative gradient 2.1e-06), 66 % of the deviance explained"
std::string sentence(const FitVerdict& verdict);
/// What is wrong, one line each and most serious first; empty where nothing is.
std::vector<std::string> warnings(const FitVerdict& verdict);
/// The same facts for model files and scripts, with the sentence and the warnings.
Json to_json(const FitVerdict& verdict);

/// The part of `deviance` by which the estimate changed in the last epoch that was kept; nothing without epochs at the end.
std::optional<double> last_change(const Trace& trace, double deviance);
/// The likeness of the best start to the one most like it; nothing for one start.
std::optional<double> nearest_start(const StartLikeness& likeness, std::size_t best);

}  // namespace polyad
