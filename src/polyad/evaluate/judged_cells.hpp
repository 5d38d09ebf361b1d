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

JudgedCells judge(const Factors& model, const Batch& batch, const Loss& loss, double null_value, LeastLoss& least);

// --- deviance by slice: every index of every mode -------------------------------------------------------------------------------

using SliceFits = std::vector<std::vector<SliceFit>>;

/// Whether the slices of this tensor can be had exactly: its zeros are data and f(0, m) has a closed form.
bool has_exact_slices(const Tensor& tensor, const Loss& loss);
/// O(nnz r d + sum n_k r^2). The losses with a closed form have the identity as link, so m is what is expected.
SliceFits exact_slices(const SparseTensor& tensor, const Factors& model, const Loss& loss, double null_value,
                       LeastLoss& least);
/// From a batch whose weights make its sums estimates over all cells.
SliceFits sampled_slices(const Batch& batch, const JudgedCells& cells, const std::vector<std::uint64_t>& extents);

// --- curves, from a weighted sample of cells ------------------------------------------------------------------------------------

/// Whether the data have zeros that are not in the batch.
bool some_zeros_drawn(const Batch& batch, const Tensor& tensor);

/// The batch with zeros added where the model expects something. Zeros that are drawn uniformly hardly ever lie there in data with
/// few nonzeros, and then nothing says how many of the cells in question are zeros. These are drawn from the model: a component by
/// its share, an index of each mode by its column. A zero that was drawn n_u times uniformly (of Z zeros) or n_m times from a model
/// of sum M has the weight v / (n_u / Z + n_m m / M), v the weight of zeros (the balance heuristic, Veach and Guibas 1995), so that
/// sums stay unbiased. Gives the batch itself where the model has negative entries, and where every zero is in it. O(n r d).
Batch with_zeros_of_model(const Factors& model, const Batch& batch, const Tensor& tensor, std::uint64_t seed);

/// Bins of about equally many sampled cells, by what is expected (cells of the same expectation share a bin); observed means are weighted, so the bins are unbiased however
/// the cells were drawn. `some_zeros`: only some zeros are in the batch (from zeros_from on), and a bin with too few of them to
/// show how many there are has an `observed` that is not a number.
std::vector<CalibrationBin> calibration_bins(const Batch& batch, const std::vector<double>& expected,
                                             std::size_t bins = 20, bool some_zeros = false);

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
