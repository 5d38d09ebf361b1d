#include <polyad/solve/rows/bounded_quadratic.hpp>

#include <polyad/solve/small_solve.hpp>

#include <algorithm>
#include <cmath>

namespace polyad {

namespace {

constexpr std::size_t exchange_patience = 3;
constexpr double slope_rounding = 1e-14;  // of the terms of a slope: less is zero

double symmetric_at(const double* h, std::size_t stride, std::size_t p, std::size_t q) {
  return p <= q ? h[p * stride + q] : h[q * stride + p];
}

}  // namespace

void BoundedQuadratic::forget() {
  std::ranges::fill(side_, Side::free);
}

bool BoundedQuadratic::solve_free(const double* h, std::size_t stride, const double* g, double* d) {
  std::size_t n = 0;
  for (std::size_t j = 0; j < r_; ++j) {
    if (side_[j] == Side::free) free_[n++] = j;
  }
  for (std::size_t p = 0; p < n; ++p) {
    const std::size_t j = free_[p];
    for (std::size_t q = p; q < n; ++q) system_[p * n + q] = h[j * stride + free_[q]];
    double right = -g[j];
    for (std::size_t q = 0; q < r_; ++q) {
      if (side_[q] != Side::free && d[q] != 0) right -= symmetric_at(h, stride, j, q) * d[q];
    }
    right_[p] = right;
  }
  if (!cholesky({system_.data(), n * n}, n, 0.0)) return false;
  cholesky_solve({system_.data(), n * n}, n, right_.data());
  for (std::size_t p = 0; p < n; ++p) d[free_[p]] = right_[p];
  return true;
}

bool BoundedQuadratic::minimise(const double* h, std::size_t stride, const double* g, const double* low,
                                const double* high, double* d) {
  for (std::size_t j = 0; j < r_; ++j) {  // what was remembered must be possible
    if (low[j] == high[j]) side_[j] = Side::low;
    if (side_[j] == Side::low && std::isinf(low[j])) side_[j] = Side::free;
    if (side_[j] == Side::high && std::isinf(high[j])) side_[j] = Side::free;
  }
  std::size_t fewest = r_ + 1;
  std::size_t left = exchange_patience;
  const std::size_t most_rounds = 20 + 10 * r_;
  for (std::size_t round = 0; round < most_rounds; ++round) {
    for (std::size_t j = 0; j < r_; ++j) {
      if (side_[j] == Side::low) d[j] = low[j];
      if (side_[j] == Side::high) d[j] = high[j];
    }
    if (!solve_free(h, stride, g, d)) return false;
    std::size_t wrong = 0;
    std::size_t last = r_;
    const auto proper_side = [&](std::size_t j) {
      if (side_[j] == Side::free) {
        if (d[j] < low[j]) return Side::low;
        if (d[j] > high[j]) return Side::high;
        return Side::free;
      }
      if (low[j] == high[j]) return side_[j];
      double size = std::abs(g[j]);
      slope_[j] = g[j];
      for (std::size_t q = 0; q < r_; ++q) {
        const double term = symmetric_at(h, stride, j, q) * d[q];
        slope_[j] += term;
        size += std::abs(term);
      }
      const double zero = slope_rounding * size;
      if (side_[j] == Side::low ? slope_[j] < -zero : slope_[j] > zero) return Side::free;
      return side_[j];
    };
    for (std::size_t j = 0; j < r_; ++j) {
      if (proper_side(j) != side_[j]) {
        ++wrong;
        last = j;
      }
    }
    if (wrong == 0) return true;
    if (wrong < fewest) {
      fewest = wrong;
      left = exchange_patience;
    } else if (left > 0) {
      --left;
    }
    if (left == 0) {
      side_[last] = proper_side(last);
    } else {
      for (std::size_t j = 0; j < r_; ++j) side_[j] = proper_side(j);
    }
  }
  for (std::size_t j = 0; j < r_; ++j) d[j] = std::clamp(d[j], low[j], high[j]);
  return true;
}

}  // namespace polyad
