#pragma once
// Vectorised work on a block of listed cells (listed_cells.hpp). Vectors run along components: rows of factors are padded to
// whole vectors (polyad/model.hpp). Cells that follow each other mostly share their row of the first-named mode, which then stays
// in registers together with its sums.
//
//   cell_model:    m_t = sum_j prod_k a_k(i_kt, j)
//   cell_scatter:  g_k(i_kt, :) += y_t prod_{l != k} a_l(i_lt, :), all k
//   cell_products: pi_t = prod_{k but the first} a_k(i_kt, :)
//   row_dots:      m_t = pi_t . b       row_sums: sums += v_t pi_t       row_squares: sums += v_t pi_t pi_t'
//   log_sum:       sum_t x_t log(m_t + eps)                             ratios: v_t = x_t / (m_t + eps)

#include <polyad/kernel/batch.hpp>

#include <cstddef>

namespace polyad {

/// For `count` cells. The mode whose rows are in order comes first.
void cell_model(const CellRows& rows, std::size_t count, double* m);
void cell_scatter(const CellRows& rows, std::size_t count, const double* y);
/// `pi` holds count rows of `stride`; of the first mode nothing is used.
void cell_products(const CellRows& rows, std::size_t count, double* pi);

void row_dots(const double* pi, std::size_t stride, std::size_t count, const double* b, double* m);
void row_sums(const double* pi, std::size_t stride, std::size_t count, const double* v, double* sums);
/// `sums` is stride x stride; only entries (p, q) with q in the vector of p or later are defined: the upper triangle is.
void row_squares(const double* pi, std::size_t stride, std::size_t count, const double* v, double* sums);

/// The two parts of the poisson loss (loss/poisson.hpp) that a row subproblem needs. m is at least 0.
double log_sum(std::size_t count, const double* x, const double* m);
void ratios(std::size_t count, const double* x, const double* m, double* v);

}  // namespace polyad
