#include <polyad/base/error.hpp>
#include <polyad/problems/problem.hpp>

namespace polyad {

ProblemOptions default_options(ProblemKind kind) {
  switch (kind) {
    case ProblemKind::gamma:
      return GammaOptions{};
    case ProblemKind::binary:
      return BinaryOptions{};
    case ProblemKind::poisson:
      return PoissonOptions{};
    case ProblemKind::gaussian:
      return GaussianOptions{};
    case ProblemKind::city:
      return CityOptions{};
  }
  fail(ErrorKind::usage, "unknown kind of problem");
}

namespace {

Problem make(const GammaOptions& options, std::size_t threads) {
  return make_gamma(options, threads);
}
Problem make(const BinaryOptions& options, std::size_t threads) {
  return make_binary(options, threads);
}
Problem make(const PoissonOptions& options, std::size_t threads) {
  return make_poisson(options, threads);
}
Problem make(const GaussianOptions& options, std::size_t threads) {
  return make_gaussian(options, threads);
}
Problem make(const CityOptions& options, std::size_t threads) {
  return make_city(options, threads);
}

}  // namespace

Problem make_problem(const ProblemOptions& options, std::size_t threads) {
  return std::visit([&](const auto& chosen) { return make(chosen, threads); }, options);
}

}  // namespace polyad
