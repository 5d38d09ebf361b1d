#include <polyad/kernel/zero_sum.hpp>

#include <polyad/base/error.hpp>

#include <algorithm>
#include <numeric>

namespace polyad {

namespace {

template <class T>
std::vector<ZeroTerm> all_terms(const FactorsOf<T>& model, ZeroSum form) {
  std::vector<ZeroTerm> terms(model.modes(), ZeroTerm(zero_term_size(form, model.rank()), 0.0));
  for (std::size_t k = 0; k < model.modes(); ++k) add_rows_to_term(model, form, k, 0, model.rows(k), terms[k]);
  return terms;
}

// Rows are added up in their own precision over short runs, and runs in double precision.
constexpr std::size_t run_rows = 32;

template <class T>
void add_column_sums(const FactorsOf<T>& model, std::size_t mode, std::size_t begin, std::size_t end, ZeroTerm& term) {
  const std::size_t stride = model.stride();
  std::vector<T> sums(stride);
  for (std::size_t first = begin; first < end; first += run_rows) {
    const std::size_t last = std::min(end, first + run_rows);
    std::fill(sums.begin(), sums.end(), T{0});
    const T* row = model.row(mode, first);
    T* const __restrict sum = sums.data();
    for (std::size_t i = first; i < last; ++i, row += stride) {
      for (std::size_t j = 0; j < stride; ++j) sum[j] += row[j];
    }
    for (std::size_t j = 0; j < term.size(); ++j) term[j] += sum[j];
  }
}

template <class T>
void add_gram(const FactorsOf<T>& model, std::size_t mode, std::size_t begin, std::size_t end, ZeroTerm& term) {
  const std::size_t r = model.rank();
  for (std::size_t i = begin; i < end; ++i) {
    const T* a = model.row(mode, i);
    for (std::size_t l = 0; l < r; ++l) {
      const double factor = a[l];
      for (std::size_t j = 0; j < r; ++j) term[l * r + j] += factor * a[j];
    }
  }
}

}  // namespace

std::size_t zero_term_size(ZeroSum form, std::size_t rank) {
  if (form == ZeroSum::none) fail(ErrorKind::usage, "this loss has no closed form for its sum over zeros");
  return form == ZeroSum::linear ? rank : rank * rank;
}

template <class T>
void add_rows_to_term(const FactorsOf<T>& model, ZeroSum form, std::size_t mode, std::size_t begin, std::size_t end,
                      ZeroTerm& term) {
  if (form == ZeroSum::linear) {
    add_column_sums(model, mode, begin, end, term);
  } else {
    add_gram(model, mode, begin, end, term);
  }
}

ZeroTerm product_of_other_terms(const std::vector<ZeroTerm>& terms, std::size_t except) {
  ZeroTerm product(terms[0].size(), 1.0);
  for (std::size_t k = 0; k < terms.size(); ++k) {
    if (k == except) continue;
    for (std::size_t j = 0; j < product.size(); ++j) product[j] *= terms[k][j];
  }
  return product;
}

template <class T>
void add_zero_sum_rows(const FactorsOf<T>& model, ZeroSum form, double scale, std::size_t mode, std::size_t begin,
                       std::size_t end, const ZeroTerm& others, FactorsOf<T>& gradient) {
  const std::size_t r = model.rank();
  const std::size_t stride = model.stride();
  if (form == ZeroSum::linear) {
    // The same for every row; padding lanes add zeros.
    std::vector<T> slopes(stride, T{0});
    for (std::size_t j = 0; j < r; ++j) slopes[j] = static_cast<T>(scale * others[j]);
    const T* const __restrict slope = slopes.data();
    T* __restrict g = gradient.row(mode, begin);
    for (std::size_t i = begin; i < end; ++i, g += stride) {
      for (std::size_t j = 0; j < stride; ++j) g[j] += slope[j];
    }
    return;
  }
  std::vector<T> slopes(r * stride, T{0});
  for (std::size_t l = 0; l < r; ++l) {
    for (std::size_t j = 0; j < r; ++j) slopes[l * stride + j] = static_cast<T>(2 * scale * others[l * r + j]);
  }
  for (std::size_t i = begin; i < end; ++i) {
    const T* a = model.row(mode, i);
    T* const __restrict g = gradient.row(mode, i);
    for (std::size_t l = 0; l < r; ++l) {
      const T* const __restrict slope = slopes.data() + l * stride;
      const T factor = a[l];
      for (std::size_t j = 0; j < stride; ++j) g[j] += factor * slope[j];
    }
  }
}

template <class T>
double zero_sum(const FactorsOf<T>& model, ZeroSum form) {
  const ZeroTerm product = product_of_other_terms(all_terms(model, form), model.modes());
  return std::accumulate(product.begin(), product.end(), 0.0);
}

template <class T>
void add_zero_sum_gradient(const FactorsOf<T>& model, ZeroSum form, double scale, FactorsOf<T>& gradient) {
  const std::vector<ZeroTerm> terms = all_terms(model, form);
  for (std::size_t k = 0; k < model.modes(); ++k) {
    add_zero_sum_rows(model, form, scale, k, 0, model.rows(k), product_of_other_terms(terms, k), gradient);
  }
}

template double zero_sum(const FactorsOf<double>&, ZeroSum);
template double zero_sum(const FactorsOf<float>&, ZeroSum);
template void add_zero_sum_gradient(const FactorsOf<double>&, ZeroSum, double, FactorsOf<double>&);
template void add_zero_sum_gradient(const FactorsOf<float>&, ZeroSum, double, FactorsOf<float>&);
template void add_rows_to_term(const FactorsOf<double>&, ZeroSum, std::size_t, std::size_t, std::size_t, ZeroTerm&);
template void add_rows_to_term(const FactorsOf<float>&, ZeroSum, std::size_t, std::size_t, std::size_t, ZeroTerm&);
template void add_zero_sum_rows(const FactorsOf<double>&, ZeroSum, double, std::size_t, std::size_t, std::size_t,
                                const ZeroTerm&, FactorsOf<double>&);
template void add_zero_sum_rows(const FactorsOf<float>&, ZeroSum, double, std::size_t, std::size_t, std::size_t,
                                const ZeroTerm&, FactorsOf<float>&);

}  // namespace polyad
