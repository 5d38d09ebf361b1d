#pragma once
// How well a model explains data, in figures that mean the same for every loss.
//
//   Evaluation e = evaluate(tensor, model, loss, evaluate_settings(loss));    // any model, whoever made it: a verdict
//   Diagnostics d = diagnose(tensor, model, loss);                            // by slice, by component, curves
//   write_model("model.h5", judged(result, tensor));                          // a fit with all of this, as a file keeps it

#include <polyad/error.hpp>
#include <polyad/files.hpp>
#include <polyad/fit.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace polyad {

// --- data -------------------------------------------------------------------------------------------------------------------------

/// How often values of a kind occur, for people who look at their data first.
struct HistogramBar {
  std::string label;  ///< "0", "3", "5 to 9", "0.1 to 1"
  double count = 0;
};

/// Bars over all observed values, implicit zeros included. Few whole numbers get a bar each; many, and other values that are
/// not negative, bars whose bounds grow by tens; values of either sign ten bars of equal width. Two passes over the data.
std::vector<HistogramBar> value_histogram(const Tensor& tensor, const ValueFacts& facts);

/// What `polyad info --json` prints: shape, storage, counts, histogram, modes, and losses that suit. `style` shows option names in
/// the reasons.
std::string json_text(const Tensor& tensor, const OptionStyle& style = {});

// --- any model against any data ---------------------------------------------------------------------------------------------------
//
// Loss, gradient, deviance explained, what each component is worth, and a verdict. Exact as long as that takes seconds; beyond,
// estimated on the fixed sample with a standard error.

struct EvaluateSettings {
  double lower = 0;         ///< bound of the factors that the gradient is projected at; set by `evaluate_settings`
  SampleOptions sample;     ///< of an estimate
  double most_cells = 4e8;  ///< evaluations of the model that exact figures may take
  std::size_t threads = 0;  ///< 0: one per core
  const Records* held_out = nullptr;  ///< cells with values that the model has not seen
};

/// The settings that go with a loss: its own lower bound.
EvaluateSettings evaluate_settings(const Loss& loss);

struct ComponentWorth {
  double weight = 0;  ///< with unit columns
  double share = 0;   ///< of the sizes of all components (component_sizes)
  double worth = 0;   ///< the part of the deviance that comes back without it
};

struct Evaluation {
  FitVerdict verdict;  ///< its quality has loss, best constant and gradient
  std::vector<ComponentWorth> components;
};

/// A data error where shapes or labels do not fit.
void check_same_cells(const Tensor& tensor, const KTensor& model, const Labels& model_labels);

Evaluation evaluate(const Tensor& tensor, const KTensor& model, const Loss& loss, const EvaluateSettings& settings);
/// The same facts as JSON, as `polyad evaluate --json` prints them.
std::string json_text(const Evaluation& evaluation);

// --- what a report shows ----------------------------------------------------------------------------------------------------------
//
// Deviance explained against the best constant, in all and by slice and component; what was observed where the model expects so
// much; for yes/no data the ROC curve, for counts how often each occurs.
//
// Cost: where zeros have a closed form (poisson, gaussian) slices are exact at O(nnz r d); otherwise everything is estimated on the
// same fixed sample as the objective, every cell where there are few.

/// Cells that the model expects about the same of.
struct CalibrationBin {
  double expected = 0;  ///< means over the bin's cells
  double observed = 0;  ///< not a number: too few zeros were drawn to tell
  double error = 0;     ///< standard error of `observed`
  std::uint64_t cells = 0;
};

struct Roc {
  double auc = 0;
  struct Point {
    double false_rate = 0, true_rate = 0;
  };
  std::vector<Point> points;  ///< from (0, 0) to (1, 1)
};

/// How many cells hold a count, and how many the model expects to.
struct CountBin {
  std::uint64_t count = 0;
  double observed = 0, expected = 0;
};

/// Some cells, to look at.
struct CellSample {
  std::vector<std::vector<Index>> index;  ///< one list per mode
  std::vector<double> observed, expected;
};

/// Sums of the loss: of the model, of the best constant, of a model that equals the data.
struct Deviance {
  double loss = 0, null_loss = 0, best_loss = 0;
  double explained() const { return 1 - (loss - best_loss) / (null_loss - best_loss); }
};

struct HeldOut : Deviance {
  std::uint64_t cells = 0;
  std::optional<double> auc;
};

struct Diagnostics : Deviance {
  double null_value = 0;    ///< the best constant, as m
  std::uint64_t cells = 0;  ///< that were looked at one by one
  /// Cells that the losses are sums over; unset where they have weights. It gives the scale of the data (loss/likelihood.hpp).
  std::optional<double> observed;
  bool exact = false;  ///< deviance and slices are over all observed cells
  /// The part of the null deviance that comes back when a component's pattern is replaced by its mean.
  std::vector<double> component_rise;
  std::vector<std::vector<SliceFit>> slices;
  std::vector<CalibrationBin> calibration;
  std::optional<Roc> roc;
  std::vector<CountBin> rootogram;
  std::optional<double> dispersion;  ///< sum (x - mean)^2 over the sum of the variances the law of counts gives
  CellSample sample;
  std::optional<HeldOut> held_out;
};

/// `held_out` are cells with values that the fit did not see; where they have weights, these count.
Diagnostics diagnose(const Tensor& tensor, const KTensor& model, const Loss& loss, const SampleOptions& sample = {},
                     const Records* held_out = nullptr);

// --- a fit, written down ----------------------------------------------------------------------------------------------------------

/// What is known of a fit besides its result.
struct FitSource {
  std::string data_file = {};               ///< of the data; its folders are left out; empty: they were in memory
  std::string command = {};                 ///< that asked for the fit
  std::optional<double> read_seconds = {};  ///< that reading the data took
  const Records* held_out =
      nullptr;                 ///< cells with values that the fit did not see, other than by its option `holdout`
  const Loss* loss = nullptr;  ///< your own; otherwise the one that the options name
};

/// Judges a fit by its data and returns all that a model file keeps of it. What held-out cells say enters the result's verdict. A fit
/// with `holdout` is judged on the cells that it held out.
ModelFile judged(FitResult& result, const Tensor& tensor, const FitSource& source = {});

/// The same for a model from a file, by the loss that its options name; false where they name none. Where it was fitted to these very
/// data with `holdout`, the same cells are held out again.
bool judge(ModelFile& file, const Tensor& tensor, const FitSource& source = {});

/// The options that a model was fitted with, to fit again with them. A usage error where the file names others than there are.
FitOptions options_of(const ModelFile& file);

/// What the file holds but for its long parts (factors, traces, slices, single cells), as JSON: weights, options, summary and
/// diagnostics.
std::string json_text(const ModelFile& file);

}  // namespace polyad
