#include "plain_gradient.hpp"

#include <polyad/kernel/zero_sum.hpp>
#include <polyad/loss/gamma.hpp>
#include <polyad/loss/poisson.hpp>

#include <array>

namespace polyad::bench {

namespace {

double value_of(const Factors& model, const Index* index) {
  double m = 0;
  for (std::size_t j = 0; j < model.rank(); ++j) {
    double product = 1;
    for (std::size_t k = 0; k < model.modes(); ++k) product *= model.at(k, index[k], j);
    m += product;
  }
  return m;
}

void add(const Factors& model, const Index* index, double y, Factors& gradient) {
  for (std::size_t k = 0; k < model.modes(); ++k) {
    for (std::size_t j = 0; j < model.rank(); ++j) {
      double others = y;
      for (std::size_t l = 0; l < model.modes(); ++l) {
        if (l != k) others *= model.at(l, index[l], j);
      }
      gradient.at(k, index[k], j) += others;
    }
  }
}

}  // namespace

double plain_gamma_gradient(const Factors& model, const DenseTensor& tensor, Factors& gradient) {
  gradient.set_zero();
  double sum = 0;
  std::array<Index, max_modes> index{};
  for (std::uint64_t cell = 0; cell < tensor.cells(); ++cell) {
    const double x = tensor.value(cell);
    const double m = value_of(model, index.data());
    sum += Gamma{}.value(x, m);
    add(model, index.data(), Gamma{}.deriv(x, m), gradient);
    for (std::size_t k = model.modes(); k-- > 0;) {
      if (++index[k] < model.rows(k)) break;
      index[k] = 0;
    }
  }
  return sum;
}

double plain_poisson_gradient(const Factors& model, const SparseTensor& tensor, Factors& gradient) {
  gradient.set_zero();
  double sum = zero_sum(model, ZeroSum::linear);
  const Records& records = tensor.records();
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Index* index = records.index(i);
    const double x = records.value(i);
    const double m = value_of(model, index);
    sum += Poisson{}.value(x, m) - m;
    add(model, index, Poisson{}.deriv(x, m) - 1, gradient);
  }
  add_zero_sum_gradient(model, ZeroSum::linear, 1.0, gradient);
  return sum;
}

}  // namespace polyad::bench
