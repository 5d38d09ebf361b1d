#pragma once
// The sum over ALL cells of f(0, m), in closed form in the factors, for losses that have one (App. A of the paper):
//
//   linear     f(0,m) = m:    sum_j prod_k s_kj,              s_kj = sum_i a_k(i,j)
//   quadratic  f(0,m) = m^2:  sum_jl prod_k (A_k' A_k)_jl
//
// It makes the zeros of a sparse tensor exact at O(sum_k n_k r) or O(sum_k n_k r^2), whatever the number of cells.

#include <polyad/loss/loss.hpp>
#include <polyad/model/factors.hpp>

namespace polyad {

/// The sum itself. `form` must not be ZeroSum::none.
double zero_sum(const Factors& model, ZeroSum form);

/// Adds `scale` times the sum's gradient for all modes to `gradient`.
void add_zero_sum_gradient(const Factors& model, ZeroSum form, double scale, Factors& gradient);

}  // namespace polyad
