#pragma once
// The objective of one row with its gradient and Hessian, in one pass over the row's cells:
//
//   F = sum_t w f(x, pi'b),   g = sum_t w f'(x, pi'b) pi,   H = sum_t w f''(x, pi'b) pi pi'
//
// plus what zeros add (mode_rows.hpp). Beside the gradient comes its size, the sum of the absolute values of its terms: a
// gradient is zero when it is small against that. O(cells r^2), on vectors but for f''. One object per thread.

#include <polyad/kernel/row_products.hpp>
#include <polyad/solve/rows/mode_rows.hpp>

#include <cstddef>

namespace polyad {

/// What is known of a row's objective at one place. Rows of `stride` numbers; of the Hessian the upper triangle.
struct RowPoint {
  AlignedVector<double> b, gradient, gradient_size, hessian;
  double f = 0;       ///< NaN: not asked for
  double f_size = 0;  ///< sum of the absolute values of its terms

  explicit RowPoint(std::size_t stride)
      : b(stride), gradient(stride), gradient_size(stride), hessian(stride * stride) {}
};

class RowObjective {
 public:
  explicit RowObjective(const ModeRows& rows);

  void choose(std::size_t row);
  std::size_t rank() const { return r_; }
  std::size_t stride() const { return stride_; }
  /// Brings a row to the size at which it explains as much as was seen, where that is known at once (poisson: s'b = sum x).
  void scale_start(double* b) const;
  bool convex() const { return rows_.loss().info().convex; }
  /// Fills everything else from point.b, whose padding is 0. F itself may be left out: its logarithms take as long as the rest.
  void evaluate(RowPoint& point, bool want_f);

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
};

}  // namespace polyad
