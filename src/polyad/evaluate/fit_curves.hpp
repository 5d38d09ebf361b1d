#pragma once
// Curves that show whether a model's expectations come true, from a weighted sample of cells.

#include <polyad/evaluate.hpp>
#include <polyad/evaluate/judged_cells.hpp>

#include <vector>

namespace polyad {

/// Bins of equally many sampled cells, by what is expected; observed means are weighted, so the bins are unbiased however
/// the cells were drawn.
std::vector<CalibrationBin> calibration_bins(const Batch& batch, const std::vector<double>& expected,
                                             std::size_t bins = 20);

/// `scores` rank the cells; cells of equal score are one step. Empty unless both classes (x = 0 and x > 0) occur.
std::optional<Roc> roc_curve(const Batch& batch, const std::vector<double>& scores);

/// The law of counts a loss stands for.
struct CountLaw {
  enum class Kind { poisson, negative_binomial, zero_truncated_poisson } kind = Kind::poisson;
  double size = 0;  ///< r of the negative binomial
  /// Probabilities of the counts 0 .. p.size() - 1 where `mean` is expected.
  void probabilities(double mean, std::vector<double>& p) const;
  double variance(double mean) const;
};
/// Empty where the loss is not for counts.
std::optional<CountLaw> count_law(const Loss& loss);

std::vector<CountBin> rootogram(const Batch& batch, const std::vector<double>& expected, const CountLaw& law);
double dispersion(const Batch& batch, const std::vector<double>& expected, const CountLaw& law);

}  // namespace polyad
