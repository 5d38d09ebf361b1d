#include <polyad/base/error.hpp>
#include <polyad/problems/random_factors.hpp>
#include <polyad/problems/streams.hpp>

#include <boost/random/gamma_distribution.hpp>
#include <boost/random/normal_distribution.hpp>

#include <vector>

namespace polyad {

namespace {

template <class Draw>
Factors drawn_factors(const IndexSpace& space, std::uint64_t rank, std::uint64_t seed, Draw draw) {
  const auto extents = space.extents();
  Factors factors({extents.begin(), extents.end()}, rank);
  Generator generator = problem_generator(seed, ProblemStream::factors);
  for (std::size_t k = 0; k < factors.modes(); ++k) {
    for (std::size_t i = 0; i < factors.rows(k); ++i) {
      for (std::size_t j = 0; j < rank; ++j) factors.at(k, i, j) = draw(generator);
    }
  }
  return factors;
}

}  // namespace

Factors uniform_factors(const IndexSpace& space, std::uint64_t rank, std::uint64_t seed) {
  return drawn_factors(space, rank, seed, [](Generator& generator) { return generator.unit(); });
}

Factors normal_factors(const IndexSpace& space, std::uint64_t rank, std::uint64_t seed) {
  return drawn_factors(space, rank, seed, boost::random::normal_distribution<double>());
}

Factors skewed_factors(const IndexSpace& space, std::uint64_t rank, std::uint64_t seed) {
  boost::random::gamma_distribution<double> gamma(0.7);
  Factors factors = drawn_factors(space, rank, seed, [&](Generator& generator) { return gamma(generator) + 0.02; });
  for (std::size_t k = 0; k < factors.modes(); ++k) {
    for (std::size_t j = 0; j < rank; ++j) {
      double sum = 0;
      for (std::size_t i = 0; i < factors.rows(k); ++i) sum += factors.at(k, i, j);
      for (std::size_t i = 0; i < factors.rows(k); ++i) factors.at(k, i, j) /= sum;
    }
  }
  return factors;
}

}  // namespace polyad
