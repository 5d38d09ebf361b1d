#include <polyad/solve/rows/row_objective.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace polyad {

namespace {

using CellBlock = std::array<double, block_cells>;

constexpr std::array<double, block_cells> all_zeros = {};

bool any_nonzero(std::size_t count, const double* values) {
  return std::any_of(values, values + count, [](double v) { return v != 0; });
}

}  // namespace

RowObjective::RowObjective(const ModeRows& rows)
    : rows_(rows),
      r_(rows.model().rank()),
      stride_(rows.model().stride()),
      products_(rows.cells(), rows.model()),
      linear_(stride_) {}

void RowObjective::choose(std::size_t row) {
  products_.choose(row);
  const ListedCells& cells = rows_.cells();
  if (rows_.shared() > 0) rows_.shared_weights(row, weights_);
  if (!rows_.poisson_regression()) return;
  std::ranges::fill(linear_, 0.0);
  std::ranges::copy(rows_.zero_term(), linear_.begin());
  total_ = 0;
  for (std::size_t t = products_.begin(); t < products_.end(); ++t) total_ += cells.x[t];
  if (!cells.corrected) return;
  alignas(cache_line) CellBlock excess;
  products_.for_blocks([&](std::size_t first, std::size_t count, const double* pi) {
    for (std::size_t t = 0; t < count; ++t) excess[t] = cells.weight(first + t) - cells.zero_weight;
    row_sums(pi, stride_, count, excess.data(), linear_.data());
  });
}

void RowObjective::scale_start(double* b) const {
  if (!rows_.poisson_regression()) return;
  double mass = 0;
  for (std::size_t j = 0; j < r_; ++j) mass += linear_[j] * b[j];
  const double scale = total_ / mass;
  if (!std::isfinite(scale) || scale <= 0) return;
  for (std::size_t j = 0; j < r_; ++j) b[j] *= scale;
}

void RowObjective::evaluate(RowPoint& point, bool want_f) {
  point.clear();
  if (rows_.poisson_regression()) {
    poisson(point, want_f);
  } else {
    any_loss(point);
  }
}

void RowObjective::poisson(RowPoint& point, bool want_f) {
  alignas(cache_line) CellBlock m;
  alignas(cache_line) CellBlock v;
  alignas(cache_line) CellBlock curvature;
  double logs = 0;
  products_.for_blocks([&](std::size_t first, std::size_t count, const double* pi) {
    const double* x = rows_.cells().x.data() + first;
    row_dots(pi, stride_, count, point.b.data(), m.data());
    if (want_f) logs += log_sum(count, x, m.data());
    ratios(count, x, m.data(), v.data());
    ratios(count, v.data(), m.data(), curvature.data());
    row_sums(pi, stride_, count, v.data(), point.gradient.data());
    row_squares(pi, stride_, count, curvature.data(), point.hessian.data());
  });
  double mass = 0;
  for (std::size_t j = 0; j < r_; ++j) {
    mass += linear_[j] * point.b[j];
    point.gradient_size[j] = linear_[j] + point.gradient[j];
    point.gradient[j] = linear_[j] - point.gradient[j];
  }
  point.f = want_f ? mass - logs : std::numeric_limits<double>::quiet_NaN();
  point.f_size = mass + std::abs(logs);
}

void RowObjective::add_cells(const double* pi, std::size_t count, const double* x, const double* w, bool correct,
                             RowPoint& point) {
  const Loss& loss = rows_.loss();
  terms_.evaluate(loss, pi, count, x, w, point);
  terms_.add_sizes(pi, count, point);
  if (correct) {  // the closed form has counted these cells as zeros
    const double v = rows_.cells().zero_weight;
    const bool linear = loss.info().zero_sum == ZeroSum::linear;
    for (std::size_t t = 0; t < count; ++t) {
      const double m = terms_.m[t];
      terms_.f[t] -= v * (linear ? m : m * m);
      terms_.slope[t] -= v * (linear ? 1 : 2 * m);
      terms_.curvature[t] -= linear ? 0 : 2 * v;
    }
  }
  terms_.add_to(pi, count, point);
}

void RowObjective::add_closed_form(RowPoint& point) const {
  const std::vector<double>& term = rows_.zero_term();
  if (rows_.loss().info().zero_sum == ZeroSum::linear) {
    for (std::size_t j = 0; j < r_; ++j) {
      point.f += term[j] * point.b[j];
      point.f_size += std::abs(term[j] * point.b[j]);
      point.gradient[j] += term[j];
      point.gradient_size[j] += std::abs(term[j]);
    }
    return;
  }
  double sum = 0;
  for (std::size_t p = 0; p < r_; ++p) {
    double slope = 0, size = 0;
    for (std::size_t q = 0; q < r_; ++q) {
      const double part = term[p * r_ + q] * point.b[q];
      slope += part;
      size += std::abs(part);
      if (q >= p) point.hessian[p * stride_ + q] += 2 * term[p * r_ + q];
    }
    sum += point.b[p] * slope;
    point.gradient[p] += 2 * slope;
    point.gradient_size[p] += 2 * size;
  }
  point.f += sum;
  point.f_size += std::abs(sum);
}

void RowObjective::any_loss(RowPoint& point) {
  const ListedCells& cells = rows_.cells();
  const bool closed = rows_.zeros() == RowZeros::closed_form;
  products_.for_blocks([&](std::size_t first, std::size_t count, const double* pi) {
    add_cells(pi, count, cells.x.data() + first, cells.w.empty() ? nullptr : cells.w.data() + first, closed, point);
  });
  if (closed) add_closed_form(point);
  for (std::size_t first = 0; first < rows_.shared(); first += block_cells) {
    const std::size_t count = std::min(block_cells, rows_.shared() - first);
    if (!any_nonzero(count, weights_.data() + first)) continue;
    add_cells(rows_.shared_products(first), count, all_zeros.data(), weights_.data() + first, false, point);
  }
}

}  // namespace polyad
