#pragma once
// Models with random signed entries and weights, and their values by the definition, for comparison.

#include <polyad/model.hpp>

#include <random>
#include <utility>
#include <vector>

namespace polyad::testing {

inline KTensor random_model(std::vector<std::uint64_t> extents, std::size_t rank, unsigned seed,
                            bool positive = false) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> entry(positive ? 0.1 : -1.0, 1.0);
  KTensor model(Factors(std::move(extents), rank));
  for (std::size_t k = 0; k < model.modes(); ++k) {
    for (std::size_t i = 0; i < model.factors.rows(k); ++i) {
      for (std::size_t j = 0; j < rank; ++j) model.factors.at(k, i, j) = entry(generator);
    }
  }
  for (double& w : model.weights) w = 3 * entry(generator);
  return model;
}

/// Calls visit(index) for every cell.
template <class Visit>
void for_each_cell(const std::vector<std::uint64_t>& extents, Visit&& visit) {
  std::vector<Index> index(extents.size(), 0);
  for (;;) {
    visit(index);
    std::size_t k = extents.size();
    while (k > 0 && ++index[k - 1] == extents[k - 1]) index[--k] = 0;
    if (k == 0) return;
  }
}

/// m_i = sum_j lambda_j prod_k a_k(i_k, j) in long double.
inline long double value_by_definition(const KTensor& model, const std::vector<Index>& index) {
  long double sum = 0;
  for (std::size_t j = 0; j < model.rank(); ++j) {
    long double product = model.weights[j];
    for (std::size_t k = 0; k < model.modes(); ++k) product *= model.factors.at(k, index[k], j);
    sum += product;
  }
  return sum;
}

inline std::vector<double> all_values(const KTensor& model) {
  std::vector<double> values;
  for_each_cell(model.factors.extents(), [&](const std::vector<Index>& index) {
    values.push_back(static_cast<double>(value_by_definition(model, index)));
  });
  return values;
}

}  // namespace polyad::testing
