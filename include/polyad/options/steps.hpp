#pragma once
// The steps of a stochastic fit: how the step size moves, and how a gradient becomes a step.

#include <polyad/fields.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>

namespace polyad {

/// How the rate moves over a fit, and what happens after an epoch:
///
///   cosine    the rate falls from `rate` to `final_rate` along half a cosine over `epochs`; a rise of the estimate is not
///             undone, the best one is kept
///   paper     one rate; an epoch that raises the estimate is undone and the rate decays (Alg. 4); ends after max_bad_epochs + 1
///             such epochs
///   constant  one rate throughout, otherwise as cosine
enum class ScheduleKind { cosine, paper, constant };
std::span<const std::string_view> words_of(ScheduleKind);
/// "epochs to run; auto: ...", from the table.
const std::string& epochs_help();

struct ScheduleOptions {
  ScheduleKind kind = ScheduleKind::cosine;
  std::optional<double> rate;  ///< auto: the paper's 0.01, unless fit knows the size of the factors (defaults.hpp)
  std::optional<double> final_rate;  ///< auto: rate / 1000
  double decay = 0.1;
  std::uint64_t max_bad_epochs = 1;
  std::optional<std::uint64_t> epochs;
  std::uint64_t epoch_iterations = 1000;

  static auto fields() {
    using O = ScheduleOptions;
    return std::tuple{
        field("schedule", &O::kind, "how the step size moves over the fit"),
        field("rate", &O::rate,
              "step size at the start; auto: 1.5 % of the size of the starting factors, or 0.01 for schedule paper",
              above(0)),
        field("final-rate", &O::final_rate, "step size at the end (cosine); auto: rate / 1000", above(0)),
        field("decay", &O::decay, "factor on the step size after a bad epoch", within(1e-6, 0.999999)),
        field("max-bad-epochs", &O::max_bad_epochs, "bad epochs allowed before the fit ends (paper)", count_from(0)),
        field("epochs", &O::epochs, epochs_help(), count_from(1)),
        field("epoch-iterations", &O::epoch_iterations, "iterations per epoch", count_from(1)),
    };
  }
};

/// A position in the list of update rules. Names are for those that other code asks for; a rule further down needs none.
enum class OptimizerKind { adam, amsgrad, adagrad, sgd };
std::span<const std::string_view> words_of(OptimizerKind);

/// Where epsilon goes in Adam's denominator: inside the root (the paper's listing) or outside (the usual form).
enum class AdamForm { paper, usual };
constexpr std::array<std::string_view, 2> words_of(AdamForm) {
  return {"paper", "usual"};
}

/// The paper's decay of the second moment.
inline constexpr double paper_beta2 = 0.999;
/// The paper's epsilon, whatever the size of the gradient.
inline constexpr double paper_epsilon = 1e-8;

struct OptimizerOptions {
  OptimizerKind kind = OptimizerKind::adam;
  AdamForm form = AdamForm::paper;
  double beta1 = 0.9;
  std::optional<double> beta2;    ///< auto: the paper's 0.999, unless fit chooses (defaults.hpp)
  std::optional<double> epsilon;  ///< auto: the paper's 1e-8, unless fit knows the size of gradients (defaults.hpp)
  double momentum = 0.9;

  static auto fields() {
    using O = OptimizerOptions;
    return std::tuple{
        field("optimizer", &O::kind, "update rule"),
        field("adam-form", &O::form, "epsilon inside the root (paper) or outside (usual)"),
        field("beta1", &O::beta1, "decay of the first moment (adam, amsgrad)", decay_factor()),
        field("beta2", &O::beta2, "decay of the second moment (adam, amsgrad); auto: 0.99, or 0.999 for schedule paper",
              decay_factor()),
        field(
            "epsilon", &O::epsilon,
            "keeps denominators from vanishing, in the unit of the gradient (of its square for adam-form paper); auto: "
            "1e-8 times the gradient at the start (its square: 1e-16), or 1e-8 for schedule paper",
            above(0)),
        field("momentum", &O::momentum, "momentum (sgd); 0: plain steps", decay_factor()),
    };
  }
};

}  // namespace polyad
