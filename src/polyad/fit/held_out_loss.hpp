#pragma once
// What a model says about cells that it has not seen: the loss of each, and the deviance explained over all of them. Weights of the
// cells let them stand for all data (hold_out in polyad/fit.hpp).

#include <polyad/fit.hpp>

#include <cstddef>
#include <optional>
#include <vector>

namespace polyad {

/// f(x, m) of each cell, without weights. O(cells * rank * modes).
std::vector<double> cell_losses(const Factors& model, const Records& cells, const Loss& loss, std::size_t threads);

/// Weighted sums over the cells of the loss of a model, of the best constant and of a model that equals the data.
struct HeldOutSums {
  double loss = 0, null_loss = 0, best_loss = 0;

  /// Nothing where there is nothing to explain.
  std::optional<double> explained() const;
};

/// `null_value` is the best constant for the cells that were seen.
HeldOutSums held_out_sums(const KTensor& model, const Records& cells, const Loss& loss, double null_value,
                          std::size_t threads = 1);

/// A weighted sum over held-out cells with its standard error: cells of a stratum vary independently, or, where cells were held out
/// in runs, the sums of the runs do.
struct HeldOutMean {
  double sum = 0;
  double standard_error = 0;
};
/// Sum of weight * value; values are one per cell of the split. A difference of two models' losses makes a paired comparison.
HeldOutMean held_out_mean(const HeldOutSplit& split, const std::vector<double>& values);

}  // namespace polyad
