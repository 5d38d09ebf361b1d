#pragma once
// What a model expects in cells of any kind: those of a list, those that are missing, those that score highest.
//
//   expected   the mean of the data as the loss has it: a probability for yes/no, a count for counts (loss/likelihood.hpp)
//   low, high  between which a share `level` of such data lie, by the loss's likelihood
//   residual   value - expected, where a value is known
//
// Intervals are of the data, given the model; they do not say how well the model is known. A law with a scale of its own (the
// standard deviation of gaussian, the shape of gamma) takes it from the fit's diagnostics in the model file, or from `scale`.
// Losses without a likelihood (huber, most beta-divergences) have no intervals. O(r d) per cell, threaded.

#include <polyad/apply/join.hpp>
#include <polyad/cells.hpp>
#include <polyad/files.hpp>
#include <polyad/loss/likelihood.hpp>
#include <polyad/model.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace polyad {

struct PredictOptions {
  std::string loss;
  double level = 0.9;
  std::optional<double> scale;
  UnknownLabels unknown = UnknownLabels::error;
  std::uint64_t threads = 0;

  static auto fields() {
    using O = PredictOptions;
    return std::tuple{
        field("loss", &O::loss, "loss of a model file that does not name its own").shown_as("LOSS"),
        field("level", &O::level, "share of the data that lies within the interval", within(0.001, 0.9999)),
        field("scale", &O::scale,
              "standard deviation (gaussian) or shape (gamma) of the data, for intervals; auto: as fitted", above(0)),
        field("unknown", &O::unknown, "labels that the model does not know: error, or leave their rows out"),
        field("threads", &O::threads, "threads to use (results do not depend on it); 0: one per core"),
    };
  }
};

/// Cells and what is expected in them, one entry each.
struct Predictions {
  Records cells;  ///< their values are what is known, NaN: nothing
  std::vector<double> expected;
  std::vector<double> low, high;  ///< empty: there are no intervals
  std::uint64_t left_out = 0;     ///< rows of a table with unknown labels
};

class Predictor {
 public:
  /// The file must outlive it. Usage errors: the loss is not known, or not the model's.
  Predictor(const ModelFile& file, const PredictOptions& options);

  const ModelFile& file() const { return file_; }
  const Loss& loss() const { return loss_; }
  bool has_intervals() const { return likelihood_.has_value(); }
  /// Why there are none: "loss huber has no likelihood"; empty where there are.
  std::string why_no_intervals() const;
  std::optional<double> scale() const { return scale_; }

  /// A data error names the first cell that the model does not have.
  Predictions predict(Records cells) const;
  /// Expected values alone.
  std::vector<double> expected(const Records& cells) const;

 private:
  const ModelFile& file_;
  PredictOptions options_;
  Loss loss_;
  std::optional<double> scale_;
  std::optional<Likelihood> likelihood_;
};

/// The tensor with every missing cell filled in by what the model expects: joined to the model by label, weights dropped, in the
/// order of the model's modes. A data error where there are too many cells to fill.
Tensor fill_missing(const Predictor& predictor, Tensor data);

/// Which cells to rank: some modes held at an index, all others free.
struct TopRequest {
  std::size_t count = 10;
  std::vector<std::string> held;  ///< "MODE=LABEL", or an index from 1 where the mode has no labels
  const Tensor* seen = nullptr;   ///< joined to the model: cells that are listed or observed here are left out
};
/// The cells of the largest expected values, largest first (ties by position). Visits every free cell; a usage error where that
/// would be more than 2e9.
Predictions top_cells(const Predictor& predictor, const TopRequest& request);

/// Cells from a table: a column per mode, by name and in any order (or `mode 1`, ... or its number), with labels or indices from 1,
/// and `value` where values are known. Data errors name line and column; unknown labels are listed.
Records read_table_of_cells(const std::string& path, const ModelSpace& model, UnknownLabels unknown,
                            std::uint64_t& left_out);

/// A tidy table: the modes, value (where any is known), expected, low, high, residual. By extension .gz and .zst too.
void write_predictions(const std::string& path, const Predictor& predictor, const Predictions& predictions);
/// The same as text.
std::string text_of(const Predictor& predictor, const Predictions& predictions);

}  // namespace polyad
