#pragma once
// A small convex quadratic within bounds, exactly:
//
//   minimise  g'd + d'Hd / 2   subject to   low <= d <= high,   H positive definite
//
// by block principal pivoting: guess which entries stand at a bound, solve for the others, exchange all that turn out to be on
// the wrong side, and go on until none is. Where exchanging many at once does not lessen their number three times in a row,
// only the last one is exchanged, which always ends (Murty 1974; Kim and Park, Fast nonnegative matrix factorization: an
// active-set-like method and comparisons, 2011). A few Cholesky factorisations of at most r x r; mostly one or two.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace polyad {

class BoundedQuadratic {
 public:
  explicit BoundedQuadratic(std::size_t r) : r_(r), side_(r), free_(r), system_(r * r), right_(r), slope_(r) {}

  /// Which side an entry stands on is remembered from one call to the next; this forgets it.
  void forget();

  /// `h` holds rows of `stride` whose upper triangle is read. Bounds may be infinite. False where a system that has to be
  /// solved is not positive definite: `d` is then of no use.
  bool minimise(const double* h, std::size_t stride, const double* g, const double* low, const double* high, double* d);

 private:
  enum class Side : std::uint8_t { free, low, high };
  bool solve_free(const double* h, std::size_t stride, const double* g, double* d);

  std::size_t r_;
  std::vector<Side> side_;
  std::vector<std::size_t> free_;
  std::vector<double> system_, right_, slope_;
};

}  // namespace polyad
