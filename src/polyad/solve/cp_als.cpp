#include <polyad/solve/cp_als.hpp>

#include <polyad/base/exact_numbers.hpp>
#include <polyad/base/math.hpp>
#include <polyad/base/memory.hpp>
#include <polyad/kernel/row_products.hpp>
#include <polyad/model/compare.hpp>
#include <polyad/sample/samplers.hpp>
#include <polyad/solve/exact_progress.hpp>
#include <polyad/solve/method_table.hpp>
#include <polyad/solve/small_solve.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace polyad {

namespace {

// Where F is below this share of the data's square it is all rounding error.
constexpr double exact_fit = 1e-15;

bool is_complete(const DenseTensor& tensor) {
  return !tensor.weighted() && tensor.observed() == tensor.cells();
}

bool may_rescale(const std::vector<Segment>& segments) {
  return std::ranges::all_of(segments, [](const Segment& s) {
    return !s.fixed && (s.lower == 0 || std::isinf(s.lower)) && std::isinf(s.upper);
  });
}

// Scales the columns of each component to equal norms.
void balance(Factors& factors) {
  for (std::size_t j = 0; j < factors.rank(); ++j) {
    std::vector<double> norms(factors.modes());
    double product = 1;
    for (std::size_t k = 0; k < factors.modes(); ++k) {
      double squares = 0;
      for (std::size_t i = 0; i < factors.rows(k); ++i) squares += factors.at(k, i, j) * factors.at(k, i, j);
      norms[k] = std::sqrt(squares);
      product *= math::pow(norms[k], 1.0 / static_cast<double>(factors.modes()));
    }
    if (!(product > 0 && std::isfinite(product))) continue;
    for (std::size_t k = 0; k < factors.modes(); ++k) {
      for (std::size_t i = 0; i < factors.rows(k); ++i) factors.at(k, i, j) *= product / norms[k];
    }
  }
}

double square_of(const Factors& factors) {
  CompensatedSum sum;
  for (const double a : factors.flat()) sum.add(a * a);
  return sum.value();
}

// The elementwise product of the other modes' Gram matrices.
std::vector<double> gram_of_others(const Factors& factors, std::size_t mode) {
  std::vector<double> product(factors.rank() * factors.rank(), 1.0);
  for (std::size_t k = 0; k < factors.modes(); ++k) {
    if (k == mode) continue;
    const std::vector<double> gram = cross_gram(factors, factors, k);
    for (std::size_t t = 0; t < product.size(); ++t) product[t] *= gram[t];
  }
  return product;
}

// a'Ha - 2 b'a
double row_value(std::span<const double> h, const double* b, const double* a, std::size_t r) {
  double sum = 0;
  for (std::size_t p = 0; p < r; ++p) {
    double line = h[p * r + p] * a[p] - 2 * b[p];
    for (std::size_t q = p + 1; q < r; ++q) line += 2 * h[p * r + q] * a[q];
    sum += a[p] * line;
  }
  return sum;
}

// One mode's update: the same H for all rows, or one per row.
class ModeUpdate {
 public:
  // Without a segment nothing is moved, only evaluated.
  ModeUpdate(Factors& now, const Factors& mttkrp, const Segment* segment, std::size_t mode, double ridge)
      : now_(now), mttkrp_(mttkrp), segment_(segment), mode_(mode), r_(now.rank()), ridge_(ridge) {}

  // Each returns the sum over rows of a'Ha - 2 b'a, without ridge.
  double with_common(const std::vector<double>& h) {
    const std::vector<double> ridged = with_ridge(h);
    NormalEquations equations(r_);
    equations.factor(ridged);
    CompensatedSum sum;
    for (std::size_t i = 0; i < now_.rows(mode_); ++i) {
      update_row(equations, ridged, i);
      sum.add(row_value(h, mttkrp_.row(mode_, i), now_.row(mode_, i), r_));
    }
    return sum.value();
  }

  double with_own(const std::vector<double>& gram, const ListedCells& cells, std::size_t threads) {
    std::vector<double> values(now_.rows(mode_));
    const std::size_t stride = now_.stride();
    for_row_ranges(cells, threads, [&](std::size_t first_row, std::size_t end_row) {
      RowProducts products(cells, now_);
      NormalEquations equations(r_);
      AlignedVector<double> square(stride * stride);
      alignas(cache_line) std::array<double, block_cells> excess;
      std::vector<double> h(r_ * r_);
      for (std::size_t row = first_row; row < end_row; ++row) {
        std::ranges::fill(square, 0.0);
        products.choose(row);
        products.for_blocks([&](std::size_t first, std::size_t count, const double* pi) {
          for (std::size_t t = 0; t < count; ++t) excess[t] = cells.weight(first + t) - cells.zero_weight;
          row_squares(pi, stride, count, excess.data(), square.data());
        });
        for (std::size_t p = 0; p < r_; ++p) {
          for (std::size_t q = p; q < r_; ++q) h[p * r_ + q] = gram[p * r_ + q] + square[p * stride + q];
        }
        const std::vector<double> ridged = with_ridge(h);
        equations.factor(ridged);
        update_row(equations, ridged, row);
        values[row] = row_value(h, mttkrp_.row(mode_, row), now_.row(mode_, row), r_);
      }
    });
    CompensatedSum sum;
    for (const double value : values) sum.add(value);
    return sum.value();
  }

 private:
  std::vector<double> with_ridge(std::vector<double> h) const {
    for (std::size_t p = 0; p < r_; ++p) h[p * r_ + p] += ridge_;
    return h;
  }

  void update_row(const NormalEquations& equations, std::span<const double> h, std::size_t row) {
    if (segment_ == nullptr) return;
    double* a = now_.row(mode_, row);
    const double* b = mttkrp_.row(mode_, row);
    std::vector<double> best(r_);
    equations.solve(b, best.data());
    const bool inside =
        std::ranges::all_of(best, [&](double v) { return v >= segment_->lower && v <= segment_->upper; });
    if (inside) {
      std::ranges::copy(best, a);
    } else {
      descend_within_bounds(h, b, segment_->lower, segment_->upper, {a, r_});
    }
  }

  Factors& now_;
  const Factors& mttkrp_;
  const Segment* segment_;
  const std::size_t mode_;
  const std::size_t r_;
  const double ridge_;
};

}  // namespace

CpAls::CpAls(const Tensor& tensor, std::vector<Segment> segments, AlsSettings settings)
    : segments_(std::move(segments)), settings_(settings), data_(describe_stored(tensor)) {
  CompensatedSum squares;
  const auto square = [&](double x) { return (x * settings_.data_scale) * (x * settings_.data_scale); };
  const DenseTensor* dense = tensor.dense();
  if (dense != nullptr && is_complete(*dense)) {
    every_cell_ = make_cell_source(tensor);
    for (const double x : dense->values()) squares.add(square(x));
  } else {
    const double modes = static_cast<double>(tensor.space().modes());
    require_memory("cp-als, which holds the data in the order of each mode,", modes * listed_cells_bytes(tensor));
    ListedCells first = listed_cells(tensor);
    weight_unit_ = take_out_weight_unit(first);
    for (std::size_t t = 0; t < first.size(); ++t) squares.add(first.weight(t) * square(first.x[t]));
    for (std::size_t k = 0; k < tensor.space().modes(); ++k) {
      orders_.push_back(in_order_of(first, k, tensor.space().extent(k)));
    }
  }
  square_of_data_ = squares.value();
}

StartResult CpAls::run(Factors guess, const StartContext& context) const {
  ExactProgress progress(context, settings_.sweeps);
  Factors now = std::move(guess);
  Factors mttkrp(now.extents(), now.rank());
  const bool rescale = may_rescale(segments_);
  const double ridge = settings_.ridge / weight_unit_;

  const auto products = [&](std::size_t mode) {
    if (every_cell_) {
      dense_mttkrp(now, *every_cell_, mode, context.threads.now(), mttkrp);
    } else {
      sparse_mttkrp(now, orders_[mode], context.threads.now(), mttkrp);
    }
    for (double& b : mttkrp.mode_span(mode)) b *= settings_.data_scale;
  };
  const auto update = [&](std::size_t mode, const Segment* segment) {
    products(mode);
    ModeUpdate step(now, mttkrp, segment, mode, ridge);
    std::vector<double> gram = gram_of_others(now, mode);
    if (every_cell_) return step.with_common(gram);
    for (double& h : gram) h *= orders_[mode].zero_weight;
    return orders_[mode].corrected ? step.with_own(gram, orders_[mode], context.threads.now()) : step.with_common(gram);
  };
  const auto objective = [&](double rows) { return square_of_data_ + rows + ridge * square_of(now); };
  const auto note = [&](double f) {  // there is no share of nothing
    if (!(square_of_data_ > 0)) return std::string();
    return fmt::format("fit {:.6f}", 1 - std::sqrt(std::max(0.0, f) / square_of_data_));
  };

  double before = objective(update(0, nullptr));
  std::optional<StopReason> why = progress.record(now, weight_unit_ * before, note(before));
  while (!why) {
    double rows = 0;
    bool any = false;
    for (std::size_t k = 0; k < now.modes() && !why; ++k) {
      if (segments_[k].fixed) continue;
      rows = update(k, &segments_[k]);
      any = true;
      why = progress.stop_now();
    }
    if (why) {
      progress.cut_short(*why);
      break;
    }
    if (rescale) balance(now);
    const double f = any ? objective(rows) : before;
    std::optional<StopReason> finished;
    if (!any || f <= exact_fit * square_of_data_) finished = StopReason::converged;
    if (!finished && std::abs(before - f) < settings_.tolerance * std::abs(before)) finished = StopReason::tolerance;
    why = progress.record(now, weight_unit_ * f, note(f), finished);
    before = f;
  }
  return std::move(progress).result();
}

std::string CpAls::describe() const {
  return fmt::format("{}, once per mode and sweep", data_);
}

namespace {

constexpr std::array<std::string_view, 2> options_of_cp_als = {"iterations", "CP-ALS"};

}  // namespace

extern constinit const MethodInfo cp_als_method = {
    .word = "cp-als",
    .help = "by alternating least squares",
    .rows = RowProblem::least_squares,
    .tolerance = 1e-8,
    .iterations = 500,
    .uses = options_of_cp_als,
    .make = [](const MethodSetup& s) -> std::unique_ptr<Solver> {
      const AlsSettings settings{s.options.als.ridge, 1 / *s.options.guess.unit, s.tolerance, s.iterations};
      return std::make_unique<CpAls>(s.tensor, s.segments, settings);
    },
};

}  // namespace polyad
