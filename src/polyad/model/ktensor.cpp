#include <polyad/base/error.hpp>
#include <polyad/base/joined.hpp>
#include <polyad/base/sum.hpp>
#include <polyad/model/gram.hpp>
#include <polyad/model/ktensor.hpp>

#include <cmath>

namespace polyad {

double value_at(const KTensor& model, std::span<const Index> index) {
  CompensatedSum sum;
  for (std::size_t j = 0; j < model.rank(); ++j) {
    double product = model.weights[j];
    for (std::size_t k = 0; k < model.modes(); ++k) product *= model.factors.at(k, index[k], j);
    sum.add(product);
  }
  return sum.value();
}

double inner_product(const KTensor& a, const KTensor& b) {
  if (a.factors.extents() != b.factors.extents()) {
    fail(ErrorKind::usage, "inner product of models of different shapes: {} and {}", joined(a.factors.extents(), " x "),
         joined(b.factors.extents(), " x "));
  }
  const std::vector<double> products = component_products(a.factors, b.factors);
  CompensatedSum sum;
  for (std::size_t p = 0; p < a.rank(); ++p) {
    for (std::size_t q = 0; q < b.rank(); ++q) sum.add(a.weights[p] * b.weights[q] * products[p * b.rank() + q]);
  }
  return sum.value();
}

double norm(const KTensor& model) {
  // Components that cancel may leave a square that rounds to below 0.
  const double square = inner_product(model, model);
  return std::sqrt(square < 0 ? 0.0 : square);
}

}  // namespace polyad
