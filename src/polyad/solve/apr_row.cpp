#include <polyad/solve/apr_row.hpp>

#include <polyad/solve/small_solve.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace polyad {

namespace {

constexpr double inadmissible_share = 1e-2;  // of an average entry: what an inadmissible zero is raised to
constexpr double zero_share = 1e-10;         // of an average entry: what counts as zero
constexpr double near_bound = 1e-8;
constexpr double first_damping = 1e-5;
constexpr double flat = 1e-10;       // of the largest curvature: less counts as that much
constexpr double smallest = 1e-290;  // keeps a system of zeros solvable
constexpr double far_off = 2;        // the row's sum by more than this factor: it is scaled first
constexpr double sufficient_decrease = 1e-4;
constexpr double rounding = 1e-15;  // of f: a smaller change cannot be told from none
constexpr int most_halvings = 10;
constexpr std::size_t pairs_kept = 3;

double dot(std::size_t n, const double* a, const double* b) {
  double sum = 0;
  for (std::size_t j = 0; j < n; ++j) sum += a[j] * b[j];
  return sum;
}

}  // namespace

AprRow::AprRow(RowProducts& products, const ListedCells& cells, std::size_t rank, std::size_t stride,
               const AprRowSettings& settings)
    : products_(products),
      cells_(cells),
      r_(rank),
      stride_(stride),
      settings_(settings),
      gradient_(stride),
      next_(stride),
      next_gradient_(stride),
      hessian_(stride * stride),
      direction_(stride),
      system_(rank * rank) {}

double AprRow::evaluate(const double* s, const double* b, bool want_f, double* gradient, double* hessian) {
  alignas(cache_line) std::array<double, block_cells> m;
  alignas(cache_line) std::array<double, block_cells> v;
  alignas(cache_line) std::array<double, block_cells> curvature;
  double logs = 0;
  if (gradient != nullptr) std::fill_n(gradient, stride_, 0.0);
  if (hessian != nullptr) std::fill_n(hessian, stride_ * stride_, 0.0);
  products_.for_blocks([&](std::size_t first, std::size_t count, const double* pi) {
    const double* x = cells_.x.data() + first;
    row_dots(pi, stride_, count, b, m.data());
    if (want_f) logs += log_sum(count, x, m.data());
    if (gradient == nullptr) return;
    ratios(count, x, m.data(), v.data());
    row_sums(pi, stride_, count, v.data(), gradient);
    if (hessian == nullptr) return;
    ratios(count, v.data(), m.data(), curvature.data());
    row_squares(pi, stride_, count, curvature.data(), hessian);
  });
  if (gradient != nullptr) {
    for (std::size_t j = 0; j < r_; ++j) gradient[j] = s[j] - gradient[j];
  }
  return want_f ? dot(r_, s, b) - logs : 0.0;
}

double AprRow::value(const double* s, const double* b) {
  return evaluate(s, b, true, nullptr, nullptr);
}

double AprRow::violation(const double* b, const double* gradient) const {
  double largest = 0;
  for (std::size_t j = 0; j < r_; ++j) largest = std::max(largest, std::abs(std::min(b[j], gradient[j])));
  return largest;
}

double AprRow::total() const {
  double sum = 0;
  for (std::size_t t = products_.begin(); t < products_.end(); ++t) sum += cells_.x[t];
  return sum;
}

// `total` is the sum of the row's values: at a solution s'b equals it, which says how large an entry is.
void AprRow::multiply(const double* s, const double* gradient, double total, double* b) const {
  double unit = 0;
  for (std::size_t j = 0; j < r_; ++j) unit += s[j];
  const double average = unit > 0 ? total / unit : total;
  for (std::size_t j = 0; j < r_; ++j) {
    if (b[j] <= zero_share * average && gradient[j] < 0) {
      b[j] = inadmissible_share * average;
    } else if (s[j] > 0) {
      b[j] = std::max(0.0, b[j] * (1 - gradient[j] / s[j]));
    }
  }
}

AprRowResult AprRow::multiplicative(const double* s, double* b, bool want_f) {
  AprRowResult result;
  const double sum = total();
  for (std::size_t l = 0; l < settings_.iterations; ++l) {
    evaluate(s, b, false, gradient_.data(), nullptr);
    const double now = violation(b, gradient_.data());
    if (l == 0) result.violation = now;
    if (now <= settings_.tolerance) break;
    multiply(s, gradient_.data(), sum, b);
  }
  if (want_f) result.f = value(s, b);
  return result;
}

// (H + damping diag(H)) d = -gradient over the free variables; held ones go to their bound.
void AprRow::newton_direction(const double* b, const std::vector<bool>& held) {
  std::vector<std::size_t> free;
  for (std::size_t j = 0; j < r_; ++j) {
    if (held[j]) {
      direction_[j] = -b[j];
    } else {
      free.push_back(j);
    }
  }
  const std::size_t n = free.size();
  std::vector<double> step(n);
  double largest = 0;
  for (const std::size_t j : free) largest = std::max(largest, hessian_[j * stride_ + j]);
  for (double damping = damping_;; damping = std::max(10 * damping, first_damping)) {
    for (std::size_t p = 0; p < n; ++p) {
      for (std::size_t q = p; q < n; ++q) system_[p * n + q] = hessian_[free[p] * stride_ + free[q]];
      system_[p * n + p] += damping * std::max(system_[p * n + p], flat * largest) + smallest;
      step[p] = -gradient_[free[p]];
    }
    if (cholesky({system_.data(), n * n}, n, 0.0)) break;
  }
  cholesky_solve({system_.data(), n * n}, n, step.data());
  for (std::size_t p = 0; p < n; ++p) direction_[free[p]] = step[p];
}

// Two-loop recursion (Nocedal 1980) over the free variables, around a diagonal that makes the plain step a multiplicative one.
void AprRow::quasi_newton_direction(const double* s, const double* b, const std::vector<bool>& held) {
  double unit = 0;
  for (std::size_t j = 0; j < r_; ++j) unit += s[j];
  const double average = unit > 0 ? total() / unit : total();
  std::vector<double> q(r_);
  std::vector<double> alpha(pairs_.size());
  for (std::size_t j = 0; j < r_; ++j) q[j] = held[j] ? 0.0 : gradient_[j];
  const auto free_dot = [&](const std::vector<double>& u, const std::vector<double>& v) {
    double sum = 0;
    for (std::size_t j = 0; j < r_; ++j) sum += held[j] ? 0.0 : u[j] * v[j];
    return sum;
  };
  for (std::size_t p = pairs_.size(); p-- > 0;) {
    alpha[p] = free_dot(pairs_[p].step, q) / pairs_[p].curvature;
    for (std::size_t j = 0; j < r_; ++j) q[j] -= alpha[p] * pairs_[p].change[j];
  }
  for (std::size_t j = 0; j < r_; ++j) {
    q[j] *= std::max(b[j], inadmissible_share * average) / std::max(s[j], 1e-12);
  }
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    const double beta = free_dot(pairs_[p].change, q) / pairs_[p].curvature;
    for (std::size_t j = 0; j < r_; ++j) q[j] += (alpha[p] - beta) * pairs_[p].step[j];
  }
  // A cell without any mass has a gradient of x / eps; no entry needs to grow by more than an average one at a time.
  for (std::size_t j = 0; j < r_; ++j) direction_[j] = held[j] ? -b[j] : std::min(-q[j], std::max(b[j], average));
}

// Halves the step along the projected path until f has decreased enough; next_ is then the new row, next_gradient_ its
// gradient.
bool AprRow::line_search(const double* s, const double* b, double f, double& f_next) {
  double length = 1;
  for (int halving = 0; halving <= most_halvings; ++halving, length /= 2) {
    double slope = 0;
    for (std::size_t j = 0; j < r_; ++j) {
      next_[j] = std::max(0.0, b[j] + length * direction_[j]);
      slope += gradient_[j] * (next_[j] - b[j]);
    }
    if (!(slope < 0)) continue;
    f_next = evaluate(s, next_.data(), true, next_gradient_.data(), nullptr);
    if (f_next <= f + sufficient_decrease * slope + rounding * std::abs(f)) return true;
  }
  return false;
}

// Damping grows where the quadratic model promised far more than was had, and shrinks where it was about right.
void AprRow::adapt_damping(const double* b, double decrease) {
  double promised = 0;
  for (std::size_t p = 0; p < r_; ++p) {
    const double step = next_[p] - b[p];
    double line = 0.5 * hessian_[p * stride_ + p] * step;
    for (std::size_t q = p + 1; q < r_; ++q) line += hessian_[p * stride_ + q] * (next_[q] - b[q]);
    promised -= step * (gradient_[p] + line);
  }
  if (decrease < 0.25 * promised) damping_ *= 3.5;
  if (decrease > 0.75 * promised) damping_ *= 2.0 / 7;
}

void AprRow::remember_pair(const double* b) {
  Pair pair{std::vector<double>(r_), std::vector<double>(r_), 0};
  for (std::size_t j = 0; j < r_; ++j) {
    pair.step[j] = next_[j] - b[j];
    pair.change[j] = next_gradient_[j] - gradient_[j];
  }
  pair.curvature = dot(r_, pair.step.data(), pair.change.data());
  const double sizes = dot(r_, pair.step.data(), pair.step.data()) * dot(r_, pair.change.data(), pair.change.data());
  if (!(pair.curvature > 1e-10 * std::sqrt(sizes))) return;
  if (pairs_.size() == pairs_kept) pairs_.erase(pairs_.begin());
  pairs_.push_back(std::move(pair));
}

AprRowResult AprRow::newton(const double* s, double* b) {
  const bool exact = settings_.update == AprUpdate::pdnr;
  AprRowResult result;
  result.f = evaluate(s, b, true, gradient_.data(), nullptr);
  result.violation = violation(b, gradient_.data());
  pairs_.clear();
  damping_ = first_damping;
  std::vector<bool> held(r_);
  // Along b itself f is least where s'b equals the sum of the values: a long way there costs nothing.
  const double scale = total() / dot(r_, s, b);
  if (std::isfinite(scale) && (scale > far_off || scale < 1 / far_off)) {
    for (std::size_t j = 0; j < r_; ++j) b[j] *= scale;
    result.f = evaluate(s, b, true, gradient_.data(), nullptr);
  }
  for (std::size_t l = 0; l < settings_.iterations; ++l) {
    const double now = violation(b, gradient_.data());
    if (now <= settings_.tolerance) break;
    const double band = std::min(now, near_bound);
    for (std::size_t j = 0; j < r_; ++j) held[j] = b[j] <= band && gradient_[j] > 0;
    if (exact) {
      evaluate(s, b, false, next_gradient_.data(), hessian_.data());
      newton_direction(b, held);
    } else {
      quasi_newton_direction(s, b, held);
    }
    double f_next = 0;
    if (line_search(s, b, result.f, f_next)) {
      if (exact) adapt_damping(b, result.f - f_next);
      if (!exact) remember_pair(b);
    } else {
      pairs_.clear();
      quasi_newton_direction(s, b, held);  // without pairs: along the multiplicative step
      if (!line_search(s, b, result.f, f_next)) {
        // Near a cell without any mass the slope is far steeper than f: any decrease will do there.
        std::copy_n(b, stride_, next_.data());
        multiply(s, gradient_.data(), total(), next_.data());
        f_next = evaluate(s, next_.data(), true, next_gradient_.data(), nullptr);
        if (!(f_next < result.f)) break;
      }
    }
    std::copy_n(next_.data(), stride_, b);
    std::swap(gradient_, next_gradient_);
    result.f = f_next;
  }
  return result;
}

AprRowResult AprRow::solve(const double* s, double* b, bool want_f) {
  if (products_.size() == 0) {  // nothing was seen in this row: every unit of b costs s
    AprRowResult result;
    for (std::size_t j = 0; j < r_; ++j) {
      if (s[j] > 0) result.violation = std::max(result.violation, std::min(b[j], s[j]));
      if (s[j] > 0) b[j] = 0;
    }
    return result;
  }
  return settings_.update == AprUpdate::mu ? multiplicative(s, b, want_f) : newton(s, b);
}

}  // namespace polyad
