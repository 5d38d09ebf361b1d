#pragma once
// Artificial problems with a known answer: data drawn from a model that is returned with them, so that a fit
// can be scored. Gamma and binary are the paper's (App. C and D).

#include <polyad/cells.hpp>
#include <polyad/model.hpp>
#include <polyad/problems/options.hpp>
#include <polyad/tensor/tensor.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace polyad {

struct Problem {
  Tensor tensor;
  KTensor truth;                             ///< as drawn; not normalised
  Labels labels;                             ///< the same as the tensor's
  std::vector<std::string> component_names;  ///< of the planted patterns; empty where they have none
  Records hidden;                            ///< the cells made missing, with the values drawn for them
  std::string describe;                      ///< one line: what was made
};

/// Throws a usage error where the options break a rule. `threads` (0: one per core) does not change the result.
Problem make_problem(const ProblemOptions& options, std::size_t threads = 0);

/// One function per kind; `make_problem` chooses. x ~ gamma(1, m): O(omega r) time, omega doubles.
Problem make_gamma(const GammaOptions& options, std::size_t threads = 0);
/// Exact draws from p = m/(1+m) in time O(support of the sparse components + number of ones): cells are never
/// visited one by one. Ones are few where rho_low is small, so omega may far exceed 2^64.
Problem make_binary(const BinaryOptions& options, std::size_t threads = 0);
/// Exact draws from x ~ poisson(m) in time O(min(events, omega)).
Problem make_poisson(const PoissonOptions& options, std::size_t threads = 0);
/// x = m + noise: O(omega r) time, omega doubles.
Problem make_gaussian(const GaussianOptions& options, std::size_t threads = 0);
/// 365 x 24 x 40 x 15 counts of the year 2023.
Problem make_city(const CityOptions& options, std::size_t threads = 0);

}  // namespace polyad
