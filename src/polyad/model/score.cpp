#include <polyad/base/error.hpp>
#include <polyad/base/text.hpp>
#include <polyad/model.hpp>
#include <polyad/model/compare.hpp>

#include <algorithm>
#include <cmath>

namespace polyad {

namespace {

void check_finite(const KTensor& model, std::string_view which) {
  const bool weights =
      std::all_of(model.weights.begin(), model.weights.end(), [](double w) { return std::isfinite(w); });
  if (weights && model.factors.all_finite()) return;
  fail(ErrorKind::data, "score: the {} model has entries that are not finite, so it cannot be compared", which);
}

std::vector<double> signs_of(const std::vector<double>& weights) {
  std::vector<double> signs(weights.size());
  std::transform(weights.begin(), weights.end(), signs.begin(),
                 [](double w) { return static_cast<double>((w > 0) - (w < 0)); });
  return signs;
}

/// Entry (p, q): product over modes of the cosines of component p of `a` and q of `b`.
std::vector<double> cosine_products(KTensor a, KTensor b) {
  const std::vector<double> a_signs = signs_of(a.weights);
  const std::vector<double> b_signs = signs_of(b.weights);
  normalize(a);
  normalize(b);
  std::vector<double> products = component_products(a.factors, b.factors);
  for (std::size_t p = 0; p < a.rank(); ++p) {
    for (std::size_t q = 0; q < b.rank(); ++q) {
      double& product = products[p * b.rank() + q];
      product = a_signs[p] * b_signs[q] * std::clamp(product, -1.0, 1.0);
    }
  }
  return products;
}

}  // namespace

Score score(const KTensor& a, const KTensor& b) {
  if (a.factors.extents() != b.factors.extents()) {
    fail(ErrorKind::usage, "score: the models have different shapes: {} and {}", joined(a.factors.extents(), " x "),
         joined(b.factors.extents(), " x "));
  }
  check_finite(a, "first");
  check_finite(b, "second");
  const std::vector<double> products = cosine_products(a, b);
  Score result;
  result.match = best_assignment(products, a.rank(), b.rank());
  for (std::size_t p = 0; p < a.rank(); ++p) {
    const std::size_t q = result.match[p];
    result.cosines.push_back(q == Score::npos ? 0.0 : products[p * b.rank() + q]);
    result.value += result.cosines.back();
  }
  if (a.rank() > 0) result.value /= static_cast<double>(a.rank());
  return result;
}

}  // namespace polyad
