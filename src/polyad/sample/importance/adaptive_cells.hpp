#pragma once
// Draws, with replacement, of cells by the leave-one-out density q of a model (leave_one_out.hpp):
//
//   of a sparse tensor    zeros                 x = 0, w = v / (n q)
//   of a dense one        observed cells        w = w_i / (n q)
//
// n candidates are drawn; those that are listed or missing are left out of the batch, and contribute nothing: the sum of
// h / (n q) over the kept has the expectation sum h whatever share is kept. (Drawing until enough are kept would need the total
// of q over what may be kept, which has no closed form.) n is chosen for about as many to be kept as uniform draws would take.

#include <polyad/loss.hpp>
#include <polyad/sample/importance/adaptive_stratum.hpp>
#include <polyad/sample/importance/leave_one_out.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace polyad {

/// Whether enough candidates would be kept; otherwise uniform draws take their cells from a list.
bool cells_can_follow(const AdaptiveStratum& stratum);

class AdaptiveCells {
 public:
  /// Nothing where the options leave the choice and it would not pay: some cells are drawn and looked at.
  static std::shared_ptr<const AdaptiveCells> make(const AdaptiveStratum& stratum, const Factors& model,
                                                   const Loss& loss, std::size_t threads);
  /// For another model, without looking again whether that pays and how many are kept.
  std::shared_ptr<const AdaptiveCells> remade(const AdaptiveStratum& stratum, const Factors& model,
                                              std::size_t threads) const;

  /// Candidates of a part.
  std::size_t count(std::size_t part) const { return candidates_[part]; }
  /// Fills the batch from `first` on and cuts it off behind the last cell that is kept. The batch has room for all candidates.
  void fill(const DrawKey& key, std::size_t first, Batch& batch) const;

 private:
  AdaptiveCells(const AdaptiveStratum& stratum, const Factors& model, std::size_t threads);
  void choose_counts(const AdaptiveStratum& stratum);
  Gain probe(const AdaptiveStratum& stratum, const Factors& model, const Loss& loss);
  // Both leave what may not be drawn out of the batch and return the densities of the rest.
  std::vector<double> keep_zeros(const SparseTensor& tensor, std::size_t part, std::size_t first, Batch& batch) const;
  std::vector<double> keep_observed(const DenseTensor& tensor, std::size_t part, std::size_t first, Batch& batch) const;
  std::vector<double> densities(std::size_t part, std::size_t first, const Batch& batch) const;

  const Tensor* tensor_;
  LeaveOneOut density_;
  std::vector<double> kept_;  ///< share of each part's candidates, estimated
  std::vector<std::uint64_t> candidates_;
};

}  // namespace polyad
