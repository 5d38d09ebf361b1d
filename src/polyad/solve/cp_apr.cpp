#include <polyad/fields.hpp>
#include <polyad/solve/cp_apr.hpp>

#include <polyad/base/error.hpp>
#include <polyad/base/exact_numbers.hpp>
#include <polyad/base/memory.hpp>
#include <polyad/kernel/row_products.hpp>
#include <polyad/sample/samplers.hpp>
#include <polyad/solve/exact_progress.hpp>
#include <polyad/solve/method_table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace polyad {

namespace {

std::vector<double> column_sums_of(const Factors& factors, std::size_t mode) {
  std::vector<double> sums(factors.rank(), 0.0);
  for (std::size_t i = 0; i < factors.rows(mode); ++i) {
    for (std::size_t j = 0; j < factors.rank(); ++j) sums[j] += factors.at(mode, i, j);
  }
  return sums;
}

void scale_columns(Factors& factors, std::size_t mode, const std::vector<double>& scale) {
  for (std::size_t i = 0; i < factors.rows(mode); ++i) {
    for (std::size_t j = 0; j < factors.rank(); ++j) factors.at(mode, i, j) *= scale[j];
  }
}

// Factors whose columns sum to 1 (but for fixed modes and columns of zeros), and the components' weights.
struct Scaled {
  Factors factors;
  std::vector<double> weights;

  void absorb(std::size_t mode) {
    std::vector<double> scale = column_sums_of(factors, mode);
    for (std::size_t j = 0; j < scale.size(); ++j) {
      weights[j] *= scale[j];
      scale[j] = scale[j] > 0 ? 1 / scale[j] : 0.0;
    }
    scale_columns(factors, mode, scale);
  }
  void give_to(std::size_t mode) {
    scale_columns(factors, mode, weights);
    std::ranges::fill(weights, 1.0);
  }
};

// What a unit of each component adds up to over all unlisted cells of a row of `mode`, times their weight, plus the listed
// cells as if they had that weight too.
std::vector<double> common_linear_term(const Factors& factors, std::size_t mode, double zero_weight) {
  std::vector<double> s(factors.stride(), 0.0);
  std::fill_n(s.begin(), factors.rank(), zero_weight);
  for (std::size_t k = 0; k < factors.modes(); ++k) {
    if (k == mode) continue;
    const std::vector<double> sums = column_sums_of(factors, k);
    for (std::size_t j = 0; j < sums.size(); ++j) s[j] *= sums[j];
  }
  return s;
}

// Adds sum_t (w_t - v) pi_t: what the listed cells of the row really weigh.
void add_excess(RowProducts& products, const ListedCells& cells, std::size_t stride, double* s) {
  alignas(cache_line) std::array<double, block_cells> excess;
  products.for_blocks([&](std::size_t first, std::size_t count, const double* pi) {
    for (std::size_t t = 0; t < count; ++t) excess[t] = cells.weight(first + t) - cells.zero_weight;
    row_sums(pi, stride, count, excess.data(), s);
  });
}

struct ModeResult {
  double violation = 0;
  double f = 0;
};

// Solves, or only evaluates, all rows of the mode that `cells` are in order of.
ModeResult visit_rows(Factors& factors, const ListedCells& cells, const AprRowSettings& settings, bool solve,
                      std::size_t threads) {
  const std::size_t stride = factors.stride();
  const std::vector<double> common = common_linear_term(factors, cells.mode, cells.zero_weight);
  std::vector<AprRowResult> rows(factors.rows(cells.mode));
  for_row_ranges(cells, threads, [&](std::size_t first_row, std::size_t end_row) {
    RowProducts products(cells, factors);
    AprRow solver(products, cells, factors.rank(), stride, settings);
    AlignedVector<double> s(stride);
    for (std::size_t row = first_row; row < end_row; ++row) {
      products.choose(row);
      std::ranges::copy(common, s.begin());
      if (cells.corrected) add_excess(products, cells, stride, s.data());
      double* b = factors.row(cells.mode, row);
      if (solve) {
        rows[row] = solver.solve(s.data(), b, true);
      } else {
        rows[row].f = solver.value(s.data(), b);
      }
    }
  });
  ModeResult result;
  CompensatedSum f;
  for (const AprRowResult& row : rows) {
    f.add(row.f);
    result.violation = std::max(result.violation, row.violation);
  }
  result.f = f.value();
  return result;
}

}  // namespace

CpApr::CpApr(const Tensor& tensor, std::vector<Segment> segments, AprSettings settings)
    : segments_(std::move(segments)), settings_(settings), data_(describe_stored(tensor)) {
  for (std::size_t k = 0; k < segments_.size(); ++k) {
    const Segment& s = segments_[k];
    if (!s.fixed && (s.lower != 0 || !std::isinf(s.upper))) {
      fail(ErrorKind::usage,
           "{}: cp-apr keeps factors at least 0 and knows no other bounds (asked for {} to {}); use `method gcp-full`",
           tensor.labels().mode_name(k), s.lower, s.upper);
    }
  }
  const double modes = static_cast<double>(tensor.space().modes());
  require_memory("cp-apr, which holds the data in the order of each mode,", modes * listed_cells_bytes(tensor));
  ListedCells first = listed_cells(tensor);
  weight_unit_ = take_out_weight_unit(first);
  for (std::size_t t = 0; t < first.size(); ++t) first.x[t] *= settings_.data_scale * first.weight(t);
  for (std::size_t k = 0; k < tensor.space().modes(); ++k) {
    orders_.push_back(in_order_of(first, k, tensor.space().extent(k)));
  }
}

StartResult CpApr::run(Factors guess, const StartContext& context) const {
  ExactProgress progress(context, settings_.iterations);
  Scaled now{std::move(guess), {}};
  now.weights.assign(now.factors.rank(), 1.0);

  double before = visit_rows(now.factors, orders_[0], settings_.row, false, context.threads.now()).f;
  std::optional<StopReason> why = progress.record(now.factors, weight_unit_ * before, "");
  for (std::size_t k = 0; k < segments_.size() && !why; ++k) {
    if (!segments_[k].fixed) now.absorb(k);
  }
  const auto last_free = [&] {
    std::size_t last = segments_.size();
    for (std::size_t k = 0; k < segments_.size(); ++k) last = segments_[k].fixed ? last : k;
    return last;
  }();
  if (!why && last_free == segments_.size()) progress.cut_short(StopReason::converged);
  while (!why && last_free < segments_.size()) {
    ModeResult all;
    for (std::size_t k = 0; k < segments_.size() && !why; ++k) {
      if (segments_[k].fixed) continue;
      now.give_to(k);
      const ModeResult mode = visit_rows(now.factors, orders_[k], settings_.row, true, context.threads.now());
      all.f = mode.f;
      all.violation = std::max(all.violation, mode.violation);
      why = progress.stop_now();
      if (k != last_free) now.absorb(k);
    }
    if (why) {
      progress.cut_short(*why);
      break;
    }
    std::optional<StopReason> finished;
    if (all.violation <= settings_.row.tolerance) finished = StopReason::converged;
    if (!finished && std::abs(before - all.f) < settings_.tolerance * std::abs(before)) {
      finished = StopReason::tolerance;
    }
    why = progress.record(now.factors, weight_unit_ * all.f, fmt::format("largest KKT violation {:.2g}", all.violation),
                          finished);
    now.absorb(last_free);
    before = all.f;
  }
  return std::move(progress).result();
}

std::string CpApr::describe() const {
  return fmt::format("{}, at most {} times per mode and outer iteration ({})", data_, settings_.row.iterations,
                     word_of(settings_.row.update));
}

namespace {

constexpr std::array<std::string_view, 2> options_of_cp_apr = {"iterations", "CP-APR"};

}  // namespace

extern constinit const MethodInfo cp_apr_method = {
    .word = "cp-apr",
    .help = "by alternating Poisson regression",
    .rows = RowProblem::poisson_regression,
    .tolerance = 0,
    .iterations = 200,
    .uses = options_of_cp_apr,
    .make = [](const MethodSetup& s) -> std::unique_ptr<Solver> {
      const AprOptions& apr = s.options.apr;
      const AprSettings settings{
          {apr.update, apr.inner, apr.kkt_tolerance}, s.tolerance, s.iterations, 1 / *s.options.guess.unit};
      return std::make_unique<CpApr>(s.tensor, s.segments, settings);
    },
};

}  // namespace polyad
