#pragma once
// The row of one mode as the old model's expectations see it (replay_cells.hpp): F_i(b) = sum_q w_q f(x0_iq, pi_q'b), with pi from
// the model as it is now. A row that the old model did not have is nothing to it. O(cells r^2) per pass.

#include <polyad/solve/rows/replay_cells.hpp>
#include <polyad/solve/rows/row_function.hpp>

#include <cstddef>

namespace polyad {

class RowReplay final : public RowFunction {
 public:
  /// All outlive it. `products` are those of the model as it is now, which has rank `rank`.
  RowReplay(const ReplayCells& cells, const AlignedVector<double>& products, const Loss& loss, std::size_t rank);

  std::size_t rank() const override { return rank_; }
  std::size_t stride() const override { return row_stride(rank_); }
  bool convex() const override { return loss_.info().convex; }
  void choose(std::size_t row) override;
  void scale_start(double* /*b*/) const override {}
  void evaluate(RowPoint& point, bool want_f) override;

 private:
  const ReplayCells& cells_;
  const AlignedVector<double>& products_;
  const Loss& loss_;
  const std::size_t rank_;
  bool known_ = false;
  AlignedVector<double> m_, x_;  // of the old model, and the values that it stands for
  CellTerms terms_;
};

}  // namespace polyad
