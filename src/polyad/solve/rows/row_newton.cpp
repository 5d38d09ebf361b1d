#include <polyad/solve/rows/row_newton.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace polyad {

namespace {

constexpr double least_damping = 1e-11;  // always there: components that coincide share what they explain
constexpr double first_damping = 1e-4;
constexpr double most_damping = 1e12;
constexpr int most_shortenings = 4;
constexpr double least_share_of_slope = 1e-4;
constexpr double flat_change = 1e-14;  // of the terms of F: a smaller change cannot be told from none
constexpr int most_shrinkings = 60;
constexpr double near_the_end = 1e-2;  // residual: from here on convex steps are judged by it alone

}  // namespace

RowNewton::RowNewton(RowFunction& objective, const RowNewtonSettings& settings)
    : objective_(objective),
      settings_(settings),
      now_(objective.stride()),
      next_(objective.stride()),
      other_(objective.stride()),
      quadratic_(objective.rank()),
      hessian_(objective.stride() * objective.stride()),
      low_(objective.stride()),
      high_(objective.stride()),
      direction_(objective.stride()) {}

double RowNewton::residual_of(const RowPoint& point) const {
  double largest = 0;
  double size = 0;
  for (std::size_t j = 0; j < objective_.rank(); ++j) size = std::max(size, std::abs(point.b[j]));
  for (std::size_t j = 0; j < objective_.rank(); ++j) {
    const double g = point.gradient[j];
    if (!std::isfinite(g)) return std::numeric_limits<double>::infinity();
    if (g == 0 || point.gradient_size[j] == 0) continue;
    const double room = g > 0 ? point.b[j] - settings_.lower : settings_.upper - point.b[j];
    const double slope = std::abs(g) / point.gradient_size[j];
    largest = std::max(largest, room == 0 ? 0.0 : std::min(slope, size > 0 ? room / size : slope));
  }
  return largest;
}

// A place where the objective cannot be computed (e^m of a large m) lies too far out.
void RowNewton::make_finite(RowPoint& point, RowEnd& end) {
  for (double& b : point.b) b = std::isfinite(b) ? b : 0.0;
  const std::size_t r = objective_.rank();
  for (int i = 0; i < most_shrinkings; ++i) {
    for (std::size_t j = 0; j < r; ++j) point.b[j] = std::clamp(point.b[j], settings_.lower, settings_.upper);
    objective_.evaluate(point, true);
    ++end.iterations;
    if (std::isfinite(point.f)) return;
    for (std::size_t j = 0; j < r; ++j) point.b[j] *= 0.5;
  }
}

// hessian_ = H + damping D. D_j is at least what makes a step as large as the row explain: g^2 / F, g and F without signs.
void RowNewton::damp(const RowPoint& point) {
  std::ranges::copy(point.hessian, hessian_.begin());
  const std::size_t stride = objective_.stride();
  for (std::size_t j = 0; j < objective_.rank(); ++j) {
    const double size = point.gradient_size[j];
    const double other = point.f_size > 0 ? size * size / point.f_size : size;
    double& diagonal = hessian_[j * stride + j];
    // Where nothing depends on this entry it is left where it is.
    const double scale = std::max(std::abs(diagonal), other);
    diagonal += scale > 0 ? std::max(damping_, least_damping) * scale : 1.0;
  }
}

// One step: next_ becomes the better place. False where none is found.
bool RowNewton::step(RowPoint& now, double residual, RowEnd& end) {
  const std::size_t r = objective_.rank();
  for (std::size_t j = 0; j < r; ++j) {
    low_[j] = settings_.lower - now.b[j];
    high_[j] = settings_.upper - now.b[j];
  }
  for (; damping_ <= most_damping; damping_ = std::max(10 * damping_, first_damping)) {
    damp(now);
    if (!quadratic_.minimise(hessian_.data(), objective_.stride(), now.gradient.data(), low_.data(), high_.data(),
                             direction_.data())) {
      quadratic_.forget();
      continue;
    }
    double slope = 0;
    bool finite = true;
    for (std::size_t j = 0; j < r; ++j) {
      slope += now.gradient[j] * direction_[j];
      finite = finite && std::isfinite(direction_[j]);
    }
    if (!finite || !(slope < 0)) continue;
    double length = 1;
    bool with_f = !objective_.convex() || residual > near_the_end;
    for (int halving = 0; halving <= most_shortenings; ++halving, length /= 2) {
      for (std::size_t j = 0; j < r; ++j) {
        // The bound itself, not what rounding makes of b + (bound - b).
        const bool full = length == 1;
        next_.b[j] = full && direction_[j] == low_[j] ? settings_.lower
                     : full && direction_[j] == high_[j]
                         ? settings_.upper
                         : std::clamp(now.b[j] + length * direction_[j], settings_.lower, settings_.upper);
      }
      objective_.evaluate(next_, with_f);
      if (++end.iterations >= settings_.iterations) return false;
      if (!with_f) {
        if (residual_of(next_) < 0.5 * residual) return accept(length);
        with_f = true;
        objective_.evaluate(next_, true);
        if (std::isnan(now.f)) objective_.evaluate(now, true);
        end.iterations += 2;
      }
      if (!std::isfinite(next_.f)) continue;
      const bool lower = next_.f <= now.f + least_share_of_slope * length * slope;
      // Near the end F is flat to the last bit; the gradient still tells where it goes.
      const bool flat = next_.f - now.f <= flat_change * now.f_size && residual_of(next_) < 0.5 * residual;
      if (lower || flat) return accept(length);
    }
  }
  return false;
}

bool RowNewton::accept(double length) {
  damping_ = length == 1 ? 0.1 * damping_ : damping_;
  if (damping_ < least_damping) damping_ = 0;
  return true;
}

RowEnd RowNewton::descend(RowPoint& now) {
  RowEnd end;
  quadratic_.forget();
  damping_ = 0;
  make_finite(now, end);
  end.residual = residual_of(now);
  while (end.residual > settings_.tolerance && end.iterations < settings_.iterations) {
    if (!step(now, end.residual, end)) break;
    std::swap(now, next_);
    end.residual = residual_of(now);
  }
  return end;
}

RowEnd RowNewton::solve(double* b) {
  const std::size_t stride = objective_.stride();
  if (!settings_.warm) objective_.scale_start(b);
  std::copy_n(b, stride, now_.b.data());
  RowEnd end = descend(now_);
  if (!objective_.convex() && !settings_.warm) {
    // From a row whose components are all alike.
    double mean = 0;
    for (std::size_t j = 0; j < objective_.rank(); ++j) mean += std::abs(b[j]) / static_cast<double>(objective_.rank());
    std::swap(now_, other_);
    std::fill_n(now_.b.data(), stride, 0.0);
    std::fill_n(now_.b.data(), objective_.rank(), mean);
    const RowEnd again = descend(now_);
    if (now_.f < other_.f || !std::isfinite(other_.f)) {
      end = {again.residual, end.iterations + again.iterations};
    } else {
      end.iterations += again.iterations;
      std::swap(now_, other_);
    }
  }
  std::copy_n(now_.b.data(), stride, b);
  return end;
}

}  // namespace polyad
