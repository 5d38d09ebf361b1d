#include <polyad/solve/small_solve.hpp>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

namespace polyad {

namespace {

// Against the largest diagonal entry: below this a pivot is rounding error.
constexpr double pivot_tolerance = 1e-13;
// Against the largest eigenvalue.
constexpr double eigenvalue_tolerance = 1e-12;

double largest_diagonal(std::span<const double> h, std::size_t r) {
  double largest = 0;
  for (std::size_t p = 0; p < r; ++p) largest = std::max(largest, h[p * r + p]);
  return largest;
}

}  // namespace

bool cholesky(std::span<double> h, std::size_t r, double least) {
  for (std::size_t p = 0; p < r; ++p) {
    double pivot = h[p * r + p];
    for (std::size_t q = 0; q < p; ++q) pivot -= h[p * r + q] * h[p * r + q];
    if (!(pivot > least)) return false;
    const double root = std::sqrt(pivot);
    h[p * r + p] = root;
    for (std::size_t i = p + 1; i < r; ++i) {
      double sum = h[p * r + i];
      for (std::size_t q = 0; q < p; ++q) sum -= h[i * r + q] * h[p * r + q];
      h[i * r + p] = sum / root;
    }
  }
  return true;
}

void cholesky_solve(std::span<const double> h, std::size_t r, double* b) {
  for (std::size_t p = 0; p < r; ++p) {
    for (std::size_t q = 0; q < p; ++q) b[p] -= h[p * r + q] * b[q];
    b[p] /= h[p * r + p];
  }
  for (std::size_t p = r; p-- > 0;) {
    for (std::size_t q = p + 1; q < r; ++q) b[p] -= h[q * r + p] * b[q];
    b[p] /= h[p * r + p];
  }
}

void NormalEquations::factor(std::span<const double> h) {
  std::ranges::copy(h, lower_.begin());
  singular_ = !cholesky(lower_, r_, pivot_tolerance * largest_diagonal(h, r_));
  if (!singular_) return;
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto r = static_cast<Eigen::Index>(r_);
  const Matrix full = Eigen::Map<const Matrix>(h.data(), r, r).selfadjointView<Eigen::Upper>();
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(full);
  const double cut = eigenvalue_tolerance * eigen.eigenvalues().cwiseAbs().maxCoeff();
  const Eigen::VectorXd inverse = eigen.eigenvalues().unaryExpr([cut](double v) { return v > cut ? 1.0 / v : 0.0; });
  Eigen::Map<Matrix>(inverse_.data(), r, r) =
      eigen.eigenvectors() * inverse.asDiagonal() * eigen.eigenvectors().transpose();
}

void NormalEquations::solve(const double* b, double* a) const {
  if (!singular_) {
    std::copy_n(b, r_, a);
    cholesky_solve(lower_, r_, a);
    return;
  }
  for (std::size_t p = 0; p < r_; ++p) {
    double sum = 0;
    for (std::size_t q = 0; q < r_; ++q) sum += inverse_[p * r_ + q] * b[q];
    a[p] = sum;
  }
}

void descend_within_bounds(std::span<const double> h, const double* b, double lower, double upper,
                           std::span<double> a) {
  constexpr int most_rounds = 100;
  constexpr double rest = 1e-12;
  const std::size_t r = a.size();
  const auto at = [&](std::size_t p, std::size_t q) { return p <= q ? h[p * r + q] : h[q * r + p]; };
  for (int round = 0; round < most_rounds; ++round) {
    double moved = 0;
    double size = 0;
    for (std::size_t p = 0; p < r; ++p) {
      const double curvature = h[p * r + p];
      if (!(curvature > 0)) continue;
      double slope = -b[p];
      for (std::size_t q = 0; q < r; ++q) slope += at(p, q) * a[q];
      const double next = std::clamp(a[p] - slope / curvature, lower, upper);
      moved = std::max(moved, std::abs(next - a[p]));
      size = std::max(size, std::abs(next));
      a[p] = next;
    }
    if (moved <= rest * size) break;
  }
}

}  // namespace polyad
