#pragma once
// Small models and every cell of them, for figures by their definition.

#include <polyad/model.hpp>

#include <random>
#include <utility>
#include <vector>

namespace polyad::cells {

/// Entries from `least` to 1, weights from 0.5 to 3.
inline KTensor some_model(std::vector<std::uint64_t> extents, std::size_t rank, unsigned seed, double least) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> entry(least, 1.0), weight(0.5, 3.0);
  KTensor model(Factors(std::move(extents), rank));
  for (double& v : model.factors.flat()) v = entry(generator);
  model.factors.clear_padding();
  for (double& w : model.weights) w = weight(generator);
  return model;
}

template <class Visit>
void for_each(const std::vector<std::uint64_t>& extents, Visit&& visit) {
  std::uint64_t count = 1;
  for (const std::uint64_t extent : extents) count *= extent;
  std::vector<Index> index(extents.size());
  for (std::uint64_t cell = 0; cell < count; ++cell) {
    std::uint64_t rest = cell;
    for (std::size_t k = extents.size(); k-- > 0; rest /= extents[k]) index[k] = static_cast<Index>(rest % extents[k]);
    visit(index);
  }
}

/// What component j adds to a cell.
inline double part_of(const KTensor& model, std::size_t j, const std::vector<Index>& index) {
  double product = model.weights[j];
  for (std::size_t k = 0; k < model.modes(); ++k) product *= model.factors.at(k, index[k], j);
  return product;
}
inline double value_of(const KTensor& model, const std::vector<Index>& index) {
  double sum = 0;
  for (std::size_t j = 0; j < model.rank(); ++j) sum += part_of(model, j, index);
  return sum;
}

}  // namespace polyad::cells
