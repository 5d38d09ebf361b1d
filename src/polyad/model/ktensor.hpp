#pragma once
// A CP model: component weights and factor matrices, m_i = sum_j lambda_j prod_k a_k(i_k, j).

#include <polyad/model/factors.hpp>

#include <span>
#include <vector>

namespace polyad {

struct KTensor {
  std::vector<double> weights;  ///< lambda, one a component
  Factors factors;

  KTensor() = default;
  /// Weights all 1.
  explicit KTensor(Factors f) : weights(f.rank(), 1.0), factors(std::move(f)) {}

  std::size_t rank() const { return weights.size(); }
  std::size_t modes() const { return factors.modes(); }

  friend bool operator==(const KTensor&, const KTensor&) = default;
};

/// The model's value at one cell.
double value_at(const KTensor& model, std::span<const Index> index);
/// <A, B> = lambda_A' (elementwise product over modes of A_k' B_k) lambda_B: no tensor is formed. O(sum n_k
/// r^2).
double inner_product(const KTensor& a, const KTensor& b);
double norm(const KTensor& model);

}  // namespace polyad
