#pragma once
// The sum over ALL cells of f(0, m), in closed form in the factors, for losses that have one (App. A of the paper):
//
//   linear     f(0,m) = m:    sum_j prod_k s_kj,              s_kj = sum_i a_k(i,j)
//   quadratic  f(0,m) = m^2:  sum_jl prod_k (A_k' A_k)_jl
//
// It makes the zeros of a sparse tensor exact at O(sum_k n_k r) or O(sum_k n_k r^2), whatever the number of cells.
//
// Everything that depends on all rows of a mode is its *term* (s_k or A_k' A_k, in double precision): terms are sums over
// rows, so that parts of a mode can be summed separately, and the gradient of a row needs the other modes' terms alone.

#include <polyad/loss.hpp>
#include <polyad/model.hpp>

#include <cstddef>
#include <vector>

namespace polyad {

/// The sum itself. `form` must not be ZeroSum::none.
template <class T>
double zero_sum(const FactorsOf<T>& model, ZeroSum form);

/// Adds `scale` times the sum's gradient for all modes to `gradient`.
template <class T>
void add_zero_sum_gradient(const FactorsOf<T>& model, ZeroSum form, double scale, FactorsOf<T>& gradient);

/// A mode's term: r numbers (linear) or r x r (quadratic).
using ZeroTerm = std::vector<double>;

/// Numbers a term has.
std::size_t zero_term_size(ZeroSum form, std::size_t rank);

/// Adds what rows begin .. end-1 of a mode contribute to its term.
template <class T>
void add_rows_to_term(const FactorsOf<T>& model, ZeroSum form, std::size_t mode, std::size_t begin, std::size_t end,
                      ZeroTerm& term);

/// The elementwise product of all terms but that of `except`.
ZeroTerm product_of_other_terms(const std::vector<ZeroTerm>& terms, std::size_t except);

/// Adds `scale` times the gradient to rows begin .. end-1 of a mode, `others` being the product of the other modes' terms.
template <class T>
void add_zero_sum_rows(const FactorsOf<T>& model, ZeroSum form, double scale, std::size_t mode, std::size_t begin,
                       std::size_t end, const ZeroTerm& others, FactorsOf<T>& gradient);

}  // namespace polyad
