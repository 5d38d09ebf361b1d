#pragma once
// The objective of one row with its gradient and Hessian, in one pass over the row's cells:
//
//   F = sum_t w f(x, pi'b),   g = sum_t w f'(x, pi'b) pi,   H = sum_t w f''(x, pi'b) pi pi'
//
// plus what zeros add (mode_rows.hpp). Beside the gradient comes its size, the sum of the absolute values of its terms: a
// gradient is zero when it is small against that. O(cells r^2), on vectors but for f''. One object per thread.

#include <polyad/kernel/row_products.hpp>
#include <polyad/solve/rows/mode_rows.hpp>
#include <polyad/solve/rows/row_function.hpp>

#include <cstddef>

namespace polyad {

class RowObjective final : public RowFunction {
 public:
  explicit RowObjective(const ModeRows& rows);

  void choose(std::size_t row) override;
  std::size_t rank() const override { return r_; }
  std::size_t stride() const override { return stride_; }
  /// Poisson: the size at which the row expects as much as was seen, s'b = sum x.
  void scale_start(double* b) const override;
  bool convex() const override { return rows_.loss().info().convex; }
  void evaluate(RowPoint& point, bool want_f) override;

 private:
  void poisson(RowPoint& point, bool want_f);
  void any_loss(RowPoint& point);
  void add_cells(const double* pi, std::size_t count, const double* x, const double* w, bool correct, RowPoint& point);
  void add_closed_form(RowPoint& point) const;

  const ModeRows& rows_;
  const std::size_t r_;
  const std::size_t stride_;
  RowProducts products_;
  AlignedVector<double> linear_;   // poisson regression: what a unit of each component adds up to
  double total_ = 0;               // and the sum of the row's values
  AlignedVector<double> weights_;  // of shared cells
  CellTerms terms_;
};

}  // namespace polyad
