#pragma once
// What Newton's method for a row (row_newton.hpp) asks of an objective: value, gradient and Hessian at a place, and how large the
// terms are that these are sums of. Objectives are made of cells,
//
//   F = sum_t w f(x, pi'b),   g = sum_t w f'(x, pi'b) pi,   H = sum_t w f''(x, pi'b) pi pi'
//
// and differ in where the cells come from: data (row_objective.hpp), an earlier model (row_replay.hpp), or several of these
// (row_sum.hpp). One object per thread; a virtual call per pass over the cells, none per cell.

#include <polyad/detail/aligned.hpp>
#include <polyad/kernel/batch.hpp>
#include <polyad/loss.hpp>

#include <array>
#include <cstddef>

namespace polyad {

/// What is known of a row's objective at one place. Rows of `stride` numbers; of the Hessian the upper triangle.
struct RowPoint {
  AlignedVector<double> b, gradient, gradient_size, hessian;
  double f = 0;       ///< NaN: not asked for
  double f_size = 0;  ///< sum of the absolute values of its terms

  explicit RowPoint(std::size_t stride)
      : b(stride), gradient(stride), gradient_size(stride), hessian(stride * stride) {}

  /// Everything but b.
  void clear();
  /// Adds `weight` times what is known at the same place of another objective.
  void add(const RowPoint& other, double weight);
};

class RowFunction {
 public:
  virtual ~RowFunction() = default;

  virtual std::size_t rank() const = 0;
  virtual std::size_t stride() const = 0;
  /// The objective has one minimum, whatever the row.
  virtual bool convex() const = 0;
  /// The row that is asked about from now on.
  virtual void choose(std::size_t row) = 0;
  /// Brings a row to the size at which it explains as much as was seen, where that is known at once.
  virtual void scale_start(double* b) const = 0;
  /// Fills everything else from point.b, whose padding is 0. F may be left out: its logarithms can take as long as the rest.
  virtual void evaluate(RowPoint& point, bool want_f) = 0;
};

/// The terms of a block of cells, weights multiplied in.
struct CellTerms {
  alignas(cache_line) std::array<double, block_cells> m, f, slope, curvature;

  /// From products of `stride` numbers. `w` may be null: all 1. A cell of weight 0 counts nothing, whatever the loss says there.
  void evaluate(const Loss& loss, const double* pi, std::size_t count, const double* x, const double* w,
                const RowPoint& point);
  /// Adds the sizes of the terms, and the terms themselves.
  void add_sizes(const double* pi, std::size_t count, RowPoint& point) const;
  void add_to(const double* pi, std::size_t count, RowPoint& point) const;
};

}  // namespace polyad
