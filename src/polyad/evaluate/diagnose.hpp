#pragma once
// How well a model fits its data, in figures that mean the same for every loss: deviance explained against the best
// constant, in all and by slice and component; what was observed where the model expects so much; for yes/no data the ROC
// curve, for counts how often each occurs. What a report shows without the data at hand.
//
// Cost: where zeros have a closed form (poisson, gaussian) slices are exact at O(nnz r d); otherwise everything is
// estimated on the same fixed sample as the objective, every cell where there are few.

#include <polyad/base/json.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/loss.hpp>
#include <polyad/model.hpp>
#include <polyad/sample/sampler.hpp>
#include <polyad/tensor/tensor.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace polyad {

/// Cells that the model expects about the same of.
struct CalibrationBin {
  double expected = 0;  ///< means over the bin's cells
  double observed = 0;
  double error = 0;  ///< standard error of `observed`
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
  std::vector<std::vector<Index>> index;  ///< one list a mode
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
  /// Cells that the losses are sums over; unset where they have weights. Gives the scale of the data (loss/likelihood.hpp).
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

/// `held_out` are cells with values that the fit did not see.
Diagnostics diagnose(const Tensor& tensor, const KTensor& model, const Loss& loss, const SampleOptions& sample = {},
                     const Records* held_out = nullptr);

/// Puts the figures into the file; what other parts of it say stays.
void add_diagnostics(ModelFile& file, const Diagnostics& diagnostics);

}  // namespace polyad
