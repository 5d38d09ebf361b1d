#pragma once
// The subproblem of one row in CP-APR: find b >= 0 with least
//
//   f(b) = s'b - sum_t x_t log(pi_t'b + eps),   gradient s - sum_t x_t pi_t / (pi_t'b + eps)
//
// over the row's listed cells, where s_j is what a unit of component j adds up to over all of the row's observed cells. (With
// nothing missing and columns that sum to 1, s is all ones, as in the literature.)
//
//   mu    b_j <- b_j * (sum_t x_t pi_tj / m_t) / s_j: never raises f. A zero that ought to grow ("inadmissible zero") is
//         set to a small positive number first, as a product could not move it.        Chi, Kolda (2012)
//   pdnr  projected damped Newton: two-metric projection, damped Hessian of the free variables, Armijo along the projected path
//   pqnr  the same with an L-BFGS approximation of the Hessian, scaled by b_j / s_j     Hansen, Plantenga, Kolda (2015)
//
// Where a Newton step finds no decrease, one along the multiplicative step is taken, whose slope is always downward; a row
// that finds none at all stays as it is. No row can fail.

#include <polyad/kernel/row_products.hpp>
#include <polyad/options/method.hpp>

#include <cstddef>
#include <vector>

namespace polyad {

struct AprRowSettings {
  AprUpdate update = AprUpdate::pdnr;
  std::size_t iterations = 10;
  double tolerance = 1e-4;  ///< of the KKT violation, max_j |min(b_j, gradient_j)|
};

struct AprRowResult {
  double violation = 0;  ///< on arrival
  double f = 0;          ///< at the end; only where asked for
};

class AprRow {
 public:
  /// `products` gives the row's cells (x are their values times weights); room for rows of `stride`, `rank` of them used.
  AprRow(RowProducts& products, const ListedCells& cells, std::size_t rank, std::size_t stride,
         const AprRowSettings& settings);

  /// Improves b (stride numbers, padding 0) from where it is. The row has been chosen in `products`.
  AprRowResult solve(const double* s, double* b, bool want_f);
  /// f alone.
  double value(const double* s, const double* b);

 private:
  double evaluate(const double* s, const double* b, bool want_f, double* gradient, double* hessian);
  double violation(const double* b, const double* gradient) const;
  void multiply(const double* s, const double* gradient, double total, double* b) const;
  AprRowResult multiplicative(const double* s, double* b, bool want_f);
  AprRowResult newton(const double* s, double* b);
  void newton_direction(const double* b, const std::vector<bool>& held);
  void quasi_newton_direction(const double* s, const double* b, const std::vector<bool>& held);
  bool line_search(const double* s, const double* b, double f, double& f_next);
  void adapt_damping(const double* b, double decrease);
  void remember_pair(const double* b);
  double total() const;

  RowProducts& products_;
  const ListedCells& cells_;
  const std::size_t r_;
  const std::size_t stride_;
  const AprRowSettings settings_;
  // AlignedVector where kernels run over padded rows.
  AlignedVector<double> gradient_, next_, next_gradient_, hessian_, direction_;
  std::vector<double> system_;
  double damping_ = 0;
  struct Pair {
    std::vector<double> step, change;
    double curvature = 0;
  };
  std::vector<Pair> pairs_;
};

}  // namespace polyad
