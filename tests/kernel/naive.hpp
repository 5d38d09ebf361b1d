#pragma once
// The definitions, cell by cell and component by component: what the kernels are tested against.

#include <polyad/kernel/batch.hpp>
#include <polyad/loss.hpp>
#include <polyad/model.hpp>

#include <cstdint>
#include <random>
#include <vector>

namespace polyad::naive {

inline double model_value(const Factors& model, const Batch& batch, std::size_t t) {
  double m = 0;
  for (std::size_t j = 0; j < model.rank(); ++j) {
    double product = 1;
    for (std::size_t k = 0; k < model.modes(); ++k) product *= model.at(k, batch.index[k][t], j);
    m += product;
  }
  return m;
}

inline double objective(const Factors& model, const Batch& batch, const Loss& loss) {
  double sum = 0;
  for (std::size_t t = 0; t < batch.size(); ++t) {
    const double m = model_value(model, batch, t);
    sum += batch.w[t] * loss.value(batch.x[t], m);
    if (!batch.w0.empty()) sum += batch.w0[t] * loss.value(0, m);
  }
  return sum;
}

inline Factors gradient(const Factors& model, const Batch& batch, const Loss& loss) {
  Factors g(model.extents(), model.rank());
  for (std::size_t t = 0; t < batch.size(); ++t) {
    const double m = model_value(model, batch, t);
    double y = batch.w[t] * loss.derivative(batch.x[t], m);
    if (!batch.w0.empty()) y += batch.w0[t] * loss.derivative(0, m);
    for (std::size_t k = 0; k < model.modes(); ++k) {
      for (std::size_t j = 0; j < model.rank(); ++j) {
        double others = 1;
        for (std::size_t l = 0; l < model.modes(); ++l) {
          if (l != k) others *= model.at(l, batch.index[l][t], j);
        }
        g.at(k, batch.index[k][t], j) += y * others;
      }
    }
  }
  return g;
}

inline Factors random_factors(const std::vector<std::uint64_t>& extents, std::size_t rank, std::mt19937_64& rng) {
  Factors f(extents, rank);
  std::uniform_real_distribution<double> entry(0.1, 1.2);
  for (std::size_t k = 0; k < f.modes(); ++k) {
    for (std::size_t i = 0; i < f.rows(k); ++i) {
      for (std::size_t j = 0; j < rank; ++j) f.at(k, i, j) = entry(rng);
    }
  }
  return f;
}

inline Batch random_batch(const std::vector<std::uint64_t>& extents, std::size_t samples, bool with_w0,
                          std::mt19937_64& rng) {
  Batch batch;
  batch.resize(extents.size(), samples, with_w0);
  std::uniform_int_distribution<int> count(0, 4);
  std::uniform_real_distribution<double> weight(0.5, 2);
  for (std::size_t t = 0; t < samples; ++t) {
    for (std::size_t k = 0; k < extents.size(); ++k) batch.index[k][t] = static_cast<Index>(rng() % extents[k]);
    batch.x[t] = count(rng);
    batch.w[t] = weight(rng);
    if (with_w0) batch.w0[t] = -weight(rng);
  }
  return batch;
}

}  // namespace polyad::naive
