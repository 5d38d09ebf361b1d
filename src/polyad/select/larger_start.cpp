#include <polyad/select/larger_start.hpp>

#include <polyad/base/rng.hpp>

#include <cmath>

namespace polyad {

KTensor with_more_components(const KTensor& smaller, std::uint64_t rank, double lower, std::uint64_t seed) {
  KTensor old = smaller;
  distribute_weights(old);
  const std::size_t before = old.rank();
  Factors factors(old.factors.extents(), rank);
  Generator random(RandomStream(seed, Purpose::guess, rank + (std::uint64_t{1} << 32)));
  for (std::size_t k = 0; k < factors.modes(); ++k) {
    double squares = 0;
    for (std::size_t i = 0; i < factors.rows(k); ++i) {
      for (std::size_t j = 0; j < before; ++j) {
        const double a = old.factors.at(k, i, j);
        factors.at(k, i, j) = a;
        squares += a * a;
      }
    }
    const double size = std::sqrt(squares / static_cast<double>(factors.rows(k) * before));
    for (std::size_t i = 0; i < factors.rows(k); ++i) {
      for (std::size_t j = before; j < rank; ++j) {
        const double unit = random.unit();
        factors.at(k, i, j) = size * (lower < 0 ? 2 * unit - 1 : unit);
      }
    }
  }
  return KTensor(std::move(factors));
}

}  // namespace polyad
