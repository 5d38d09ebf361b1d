#pragma once
// The unbiasedness check as the suites use it: gradient and objective of a small model on every kind of tensor.

#include <conformance/reference.hpp>
#include <sample/unbiased.hpp>

#include <vector>

namespace polyad::test {

inline constexpr std::size_t rank = 2;
inline constexpr std::size_t draws = affordable_draws(3000);

inline double z_of(const Sampler& sampler, const Tensor& tensor, const Loss& loss, std::size_t count) {
  const Reference reference(some_model(tensor.space(), rank, 21), loss);
  return largest_z(sampler, RandomStream(5, Purpose::gradient), count, reference, reference.of(observed_cells(tensor)));
}

inline std::vector<TensorCase> all_cases() {
  std::vector<TensorCase> cases = dense_cases();
  for (TensorCase& c : sparse_cases()) cases.push_back(std::move(c));
  return cases;
}

}  // namespace polyad::test
