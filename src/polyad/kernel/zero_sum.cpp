#include <polyad/kernel/zero_sum.hpp>

#include <polyad/base/error.hpp>
#include <polyad/model/gram.hpp>

#include <numeric>
#include <vector>

namespace polyad {

namespace {

using Matrix = std::vector<double>;  // r x r or 1 x r, row-major

// Column sums of A_k.
Matrix column_sums(const Factors& model, std::size_t mode) {
  Matrix sums(model.rank(), 0.0);
  for (std::size_t i = 0; i < model.rows(mode); ++i) {
    const double* row = model.row(mode, i);
    for (std::size_t j = 0; j < model.rank(); ++j) sums[j] += row[j];
  }
  return sums;
}

// What each mode contributes to the products.
std::vector<Matrix> mode_terms(const Factors& model, ZeroSum form) {
  std::vector<Matrix> terms;
  for (std::size_t k = 0; k < model.modes(); ++k) {
    terms.push_back(form == ZeroSum::linear ? column_sums(model, k) : cross_gram(model, model, k));
  }
  return terms;
}

// Elementwise product over all modes but `except` (pass modes() to leave none out).
Matrix product_of_others(const std::vector<Matrix>& terms, std::size_t except) {
  Matrix product(terms[0].size(), 1.0);
  for (std::size_t k = 0; k < terms.size(); ++k) {
    if (k == except) continue;
    for (std::size_t j = 0; j < product.size(); ++j) product[j] *= terms[k][j];
  }
  return product;
}

void require_closed_form(ZeroSum form) {
  if (form == ZeroSum::none) fail(ErrorKind::usage, "this loss has no closed form for its sum over zeros");
}

}  // namespace

double zero_sum(const Factors& model, ZeroSum form) {
  require_closed_form(form);
  const Matrix product = product_of_others(mode_terms(model, form), model.modes());
  return std::accumulate(product.begin(), product.end(), 0.0);
}

void add_zero_sum_gradient(const Factors& model, ZeroSum form, double scale, Factors& gradient) {
  require_closed_form(form);
  const std::vector<Matrix> terms = mode_terms(model, form);
  const std::size_t r = model.rank();
  for (std::size_t k = 0; k < model.modes(); ++k) {
    const Matrix others = product_of_others(terms, k);
    for (std::size_t i = 0; i < model.rows(k); ++i) {
      double* g = gradient.row(k, i);
      if (form == ZeroSum::linear) {
        for (std::size_t j = 0; j < r; ++j) g[j] += scale * others[j];
      } else {
        const double* a = model.row(k, i);
        for (std::size_t l = 0; l < r; ++l) {
          for (std::size_t j = 0; j < r; ++j) g[j] += 2 * scale * a[l] * others[l * r + j];
        }
      }
    }
  }
}

}  // namespace polyad
