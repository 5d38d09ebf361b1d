#pragma once
// The data that the rows of one mode see while all other modes are fixed: row i poses
//
//   F_i(b) = sum over its observed cells t of w_t f(x_t, pi_t'b),   pi_t = prod_{l != k} a_l(i_lt, :)
//
// Listed cells are always visited. What the zeros of sparse data add is had in the cheapest exact way there is:
//
//   none         only listed cells are data
//   closed form  f(0,m) = m or m^2 (LossInfo::zero_sum): no zero is visited
//   visited      every zero of the row; the products pi are the same for all rows and are computed once
//   sampled      where that would be too many: the same random cells of the other modes for every row, less those that the row
//                lists, each standing for zeros / kept of them. Given that a uniform cell is not listed it is a uniform zero of
//                that row, so the objective is unbiased; it is convex where the loss is.
//
// Made once and shared by all threads.

#include <polyad/kernel/listed_cells.hpp>
#include <polyad/loss.hpp>
#include <polyad/model.hpp>
#include <polyad/tensor/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace polyad {

struct ModeRowsSettings {
  double most_visits = 2e9;       ///< zeros visited in one pass over all rows, beyond which they are sampled
  double most_bytes = 256e6;      ///< of the products that all rows share, likewise
  std::uint64_t samples = 20000;  ///< sampled cells of the other modes, where sampled
  std::uint64_t seed = 1;
};

enum class RowZeros { none, closed_form, visited, sampled };

class ModeRows {
 public:
  /// Tensor and model must outlive it and have the same extents; of the model's rows in `mode` nothing is used.
  ModeRows(const Tensor& tensor, const Factors& model, std::size_t mode, const Loss& loss,
           const ModeRowsSettings& settings = {});

  const Tensor& tensor() const { return tensor_; }
  const Factors& model() const { return model_; }
  const Loss& loss() const { return loss_; }
  std::size_t mode() const { return cells_.mode; }
  std::size_t rows() const { return cells_.row_begin.size() - 1; }
  const ListedCells& cells() const { return cells_; }  ///< by rows; poisson regression has w x in place of x
  RowZeros zeros() const { return zeros_; }
  /// Whether the rows are those of alternating Poisson regression, which has kernels of its own.
  bool poisson_regression() const { return poisson_; }
  /// Observed cells of a row.
  double observed(std::size_t row) const;

  /// Closed forms: v times the sum of pi (linear, r numbers) or of pi pi' (quadratic, r x r) over all cells of a row.
  const std::vector<double>& zero_term() const { return zero_term_; }
  /// Visited or sampled: products of the cells that all rows share, and how much f(0, m) counts at each of them for this row.
  std::size_t shared() const { return shared_index_.empty() ? 0 : shared_index_[0].size(); }
  const double* shared_products(std::size_t first) const { return shared_pi_.data() + first * model_.stride(); }
  void shared_weights(std::size_t row, AlignedVector<double>& weights) const;

  /// "every cell that is data", "20,000 sampled zeros per row", ...
  std::string describe() const;

 private:
  void choose_zeros(const ModeRowsSettings& settings);
  void share_cells(bool all, const ModeRowsSettings& settings);

  const Tensor& tensor_;
  const Factors& model_;
  Loss loss_;
  ListedCells cells_;
  RowZeros zeros_ = RowZeros::none;
  bool poisson_ = false;
  double cells_of_a_row_ = 1;
  std::vector<double> zero_term_;
  std::vector<AlignedVector<Index>> shared_index_;  // one array per mode; that of `mode` is not used
  AlignedVector<double> shared_pi_;
};

}  // namespace polyad
