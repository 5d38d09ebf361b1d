#include <polyad/model/compare.hpp>

#include <algorithm>
#include <cmath>

namespace polyad {

IdleComponents idle_components(const KTensor& model) {
  const std::size_t r = model.rank();
  std::vector<double> weights(r, 0.0);
  std::vector<double> cosines(r * r, 1.0);
  for (std::size_t j = 0; j < r; ++j) weights[j] = std::abs(model.weights[j]);
  for (std::size_t k = 0; k < model.modes(); ++k) {
    const std::vector<double> gram = cross_gram(model.factors, model.factors, k);
    for (std::size_t j = 0; j < r; ++j) {
      weights[j] *= std::sqrt(gram[j * r + j]);
      for (std::size_t l = 0; l < r; ++l) {
        const double norms = std::sqrt(gram[j * r + j]) * std::sqrt(gram[l * r + l]);
        cosines[j * r + l] *= norms > 0 ? gram[j * r + l] / norms : 0.0;
      }
    }
  }

  IdleComponents idle;
  const double largest = r > 0 ? std::ranges::max(weights) : 0.0;
  std::vector<bool> is_idle(r, false);
  for (std::size_t j = 0; j < r; ++j) {
    is_idle[j] = !(weights[j] > dead_weight * largest);
    if (is_idle[j]) idle.dead.push_back(j);
  }
  for (std::size_t j = 0; j < r; ++j) {
    for (std::size_t l = j + 1; l < r && !is_idle[j]; ++l) {
      const bool same_sign = model.weights[j] * model.weights[l] > 0;
      if (is_idle[l] || !same_sign || cosines[j * r + l] < copy_cosine) continue;
      const bool first_heavier = weights[j] >= weights[l];
      idle.copies.push_back(first_heavier ? IdleComponents::Copy{j, l} : IdleComponents::Copy{l, j});
      is_idle[first_heavier ? l : j] = true;
    }
  }
  return idle;
}

}  // namespace polyad
