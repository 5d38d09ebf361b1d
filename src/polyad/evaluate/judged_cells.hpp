#pragma once
// A batch seen through a model: for every cell what the model says, what it expects, and the losses that deviance compares. From
// these come deviance by slice, and curves that show whether a model's expectations come true.

#include <polyad/evaluate.hpp>
#include <polyad/kernel/batch.hpp>
#include <polyad/loss/best_value.hpp>
#include <polyad/tensor/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace polyad {

struct JudgedCells {
  std::vector<double> m;                           ///< the model's values
  std::vector<double> expected;                    ///< as data: expected_value(m)
  std::vector<double> loss, null_loss, best_loss;  ///< f at m, at the best constant, at the data
};

std::vector<double> model_values(const Factors& model, const Batch& batch);
JudgedCells judge(const Factors& model, const Batch& batch, const Loss& loss, double null_value, LeastLoss& least);

// --- deviance by slice: every index of every mode -------------------------------------------------------------------------------

using SliceFits = std::vector<std::vector<SliceFit>>;

/// Whether the slices of this tensor can be had exactly: its zeros are data without exception and f(0, m) has a closed form.
bool has_exact_slices(const Tensor& tensor, const Loss& loss);
/// O(nnz r d + sum n_k r^2). The losses with a closed form have the identity as link, so m is what is expected.
SliceFits exact_slices(const SparseTensor& tensor, const Factors& model, const Loss& loss, double null_value,
                       LeastLoss& least);
/// From a batch whose weights make its sums estimates over all cells.
SliceFits sampled_slices(const Batch& batch, const JudgedCells& cells, const std::vector<std::uint64_t>& extents);

// --- curves, from a weighted sample of cells ------------------------------------------------------------------------------------

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
