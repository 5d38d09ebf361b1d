#include <polyad/solve/rows/row_function.hpp>

#include <polyad/kernel/listed_blocks.hpp>

#include <algorithm>
#include <cmath>

namespace polyad {

void RowPoint::clear() {
  std::ranges::fill(gradient, 0.0);
  std::ranges::fill(gradient_size, 0.0);
  std::ranges::fill(hessian, 0.0);
  f = f_size = 0;
}

void RowPoint::add(const RowPoint& other, double weight) {
  for (std::size_t j = 0; j < gradient.size(); ++j) {
    gradient[j] += weight * other.gradient[j];
    gradient_size[j] += weight * other.gradient_size[j];
  }
  for (std::size_t j = 0; j < hessian.size(); ++j) hessian[j] += weight * other.hessian[j];
  f += weight * other.f;
  f_size += weight * other.f_size;
}

void CellTerms::evaluate(const Loss& loss, const double* pi, std::size_t count, const double* x, const double* w,
                         const RowPoint& point) {
  row_dots(pi, point.b.size(), count, point.b.data(), m.data());
  loss.values(count, x, m.data(), f.data());
  loss.derivatives(count, x, m.data(), slope.data());
  loss.curvatures(count, x, m.data(), curvature.data());
  if (w == nullptr) return;
  for (std::size_t t = 0; t < count; ++t) {
    f[t] = w[t] == 0 ? 0.0 : w[t] * f[t];
    slope[t] = w[t] == 0 ? 0.0 : w[t] * slope[t];
    curvature[t] = w[t] == 0 ? 0.0 : w[t] * curvature[t];
  }
}

void CellTerms::add_sizes(const double* pi, std::size_t count, RowPoint& point) const {
  const std::size_t stride = point.b.size();
  for (std::size_t t = 0; t < count; ++t) {
    point.f_size += std::abs(f[t]);
    const double size = std::abs(slope[t]);
    const double* row = pi + t * stride;
    for (std::size_t j = 0; j < stride; ++j) point.gradient_size[j] += size * std::abs(row[j]);
  }
}

void CellTerms::add_to(const double* pi, std::size_t count, RowPoint& point) const {
  const std::size_t stride = point.b.size();
  for (std::size_t t = 0; t < count; ++t) point.f += f[t];
  row_sums(pi, stride, count, slope.data(), point.gradient.data());
  const bool curved = std::any_of(curvature.begin(), curvature.begin() + static_cast<std::ptrdiff_t>(count),
                                  [](double c) { return c != 0; });
  if (curved) row_squares(pi, stride, count, curvature.data(), point.hessian.data());
}

}  // namespace polyad
