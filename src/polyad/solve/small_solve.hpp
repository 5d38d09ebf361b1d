#pragma once
// Small symmetric systems, as alternating methods solve for each row of a factor.

#include <cstddef>
#include <span>
#include <vector>

namespace polyad {

/// H a = b for a symmetric positive semidefinite r x r matrix, for any number of right-hand sides. Where H is singular or
/// nearly so (components that coincide, a rank beyond the data's), the solution of least norm is taken.
class NormalEquations {
 public:
  explicit NormalEquations(std::size_t r) : r_(r), lower_(r * r), inverse_(r * r) {}

  /// `h` is r x r; its upper triangle (by rows) is read.
  void factor(std::span<const double> h);
  void solve(const double* b, double* a) const;
  bool singular() const { return singular_; }

 private:
  std::size_t r_;
  std::vector<double> lower_;    // Cholesky factor
  std::vector<double> inverse_;  // pseudo-inverse, where singular
  bool singular_ = false;
};

/// Cholesky factor of the leading part of `h` (r x r, upper triangle by rows) in place of its lower triangle; false where a
/// pivot is not above `least`.
bool cholesky(std::span<double> h, std::size_t r, double least);
/// Solves with that factor in place.
void cholesky_solve(std::span<const double> h, std::size_t r, double* b);

/// Lowers a'Ha/2 - b'a within [lower, upper] from a feasible `a`, by exact minimisation along one coordinate after the other.
/// Never raises it; ends when the coordinates rest.
void descend_within_bounds(std::span<const double> h, const double* b, double lower, double upper, std::span<double> a);

}  // namespace polyad
