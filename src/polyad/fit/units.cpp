#include <polyad/fit/units.hpp>

#include <polyad/base/exact_numbers.hpp>
#include <polyad/base/math.hpp>
#include <polyad/tensor/facts.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

namespace polyad {

namespace {

// Sums over the observed cells of weights, and of weights times values.
struct DataSums {
  double weights = 0;
  double values = 0;
};

DataSums sums_of(const Tensor& tensor) {
  CompensatedSum weights;
  CompensatedSum values;
  if (const DenseTensor* dense = tensor.dense()) {
    if (!dense->weighted()) {
      const ValueFacts facts = value_facts(tensor);
      return {facts.observed, facts.observed * facts.mean};
    }
    for (std::uint64_t cell = 0; cell < dense->cells(); ++cell) {
      if (dense->missing(cell)) continue;
      weights.add(dense->weight(cell));
      values.add(dense->weight(cell) * dense->value(cell));
    }
    return {weights.value(), values.value()};
  }
  const SparseTensor& sparse = *tensor.sparse();
  const double zeros = sparse.unlisted() == Unlisted::zero ? sparse.zeros() * sparse.zero_weight() : 0.0;
  if (!sparse.weighted()) {
    const ValueFacts facts = value_facts(tensor);
    return {zeros + static_cast<double>(sparse.listed()), facts.observed * facts.mean};
  }
  weights.add(zeros);
  for (std::size_t i = 0; i < sparse.listed(); ++i) {
    weights.add(sparse.records().weight(i));
    values.add(sparse.records().weight(i) * sparse.records().value(i));
  }
  return {weights.value(), values.value()};
}

// (c^q - 1) / q, or log c where q = 0.
double power_excess(double c, double q) {
  return q == 0 ? math::log(c) : math::expm1(q * math::log(c)) / q;
}

// What is multiplied with these stays within double precision, with room for sums and for models that are still far away.
constexpr double smallest_factor = 1e-250;
constexpr double largest_objective = 1e290;

bool is_size(const std::optional<double>& bound) {
  return bound && *bound != 0 && std::isfinite(*bound);
}

bool sizes_given(const FitOptions& options) {
  return options.schedule.kind == ScheduleKind::paper || options.schedule.rate || options.schedule.final_rate ||
         options.optimizer.epsilon || options.guess.norm || options.als.ridge > 0 ||
         options.lbfgsb.gradient_tolerance > 0 || is_size(options.bounds.lower) || is_size(options.bounds.upper) ||
         !options.bounds.modes.empty();
}

// The largest power of two that all values are multiples of, where they are small multiples of it: counts bring their unit
// with them. Nothing for other values, which shows after a few of them.
std::optional<double> unit_of_counts(const Tensor& tensor, double size) {
  constexpr double many = 0x1p20;
  constexpr int mantissa_bits = 53;
  double unit = std::numeric_limits<double>::infinity();
  const auto looks_like_counts = [&](double x) {
    if (x == 0 || !std::isfinite(x)) return true;
    int exponent = 0;
    const auto digits = static_cast<std::uint64_t>(std::ldexp(std::abs(std::frexp(x, &exponent)), mantissa_bits));
    unit = std::min(unit, std::ldexp(1.0, exponent - mantissa_bits + std::countr_zero(digits)));
    return unit * many >= size;
  };
  bool counts = true;
  if (const DenseTensor* dense = tensor.dense()) {
    const auto values = dense->values();
    counts = std::all_of(values.begin(), values.end(), looks_like_counts);
  } else {
    const Records& records = tensor.sparse()->records();
    for (std::size_t i = 0; i < records.size() && counts; ++i) counts = looks_like_counts(records.value(i));
  }
  if (!counts || !std::isfinite(unit)) return std::nullopt;
  return power_of_two_near(unit);
}

}  // namespace

double size_of_values(const Tensor& tensor) {
  const ValueFacts facts = value_facts(tensor);
  const double nonzeros = facts.observed - facts.zeros;
  return nonzeros > 0 ? tensor.norm() / std::sqrt(nonzeros) : 0.0;
}

double default_unit(const Tensor& tensor, const Loss& loss, const FitOptions& options) {
  if (!loss.info().units.any() || sizes_given(options)) return 1;
  const double size = size_of_values(tensor);
  return unit_of_counts(tensor, size).value_or(power_of_two_near(size));
}

FitUnits::FitUnits(const Tensor& tensor, const Loss& loss, double unit)
    : unit_(unit), inner_(unit == 1 ? loss : loss.in_units_of(unit)) {
  if (unit == 1) return;
  const UnitRule& rule = loss.info().units;
  // Exact for a power of two and a whole degree.
  const double factor =
      rule.degree == std::floor(rule.degree) ? std::pow(unit, rule.degree) : math::pow(unit, rule.degree);
  objective_fits_ = factor > smallest_factor && factor * std::max(1.0, tensor.observed()) < largest_objective;
  if (!objective_fits_) return;
  factor_ = factor;
  if (rule.per_cell == 0 && rule.per_value == 0) return;
  const DataSums sums = sums_of(tensor);
  if (rule.per_cell != 0) shift_ += rule.per_cell * power_excess(unit, rule.degree) * sums.weights;
  if (rule.per_value != 0) shift_ += rule.per_value * power_excess(unit, rule.degree - 1) * sums.values;
}

Monitor FitUnits::outward(const Monitor& monitor) const {
  Monitor outer = monitor;
  if (unit_ == 1 || !monitor.on_epoch) return outer;
  outer.on_epoch = [factor = factor_, shift = shift_, sink = monitor.on_epoch](const Progress& inner) {
    Progress progress = inner;
    progress.row.estimate = factor * inner.row.estimate + shift;
    progress.best = factor * inner.best + shift;
    sink(progress);
  };
  return outer;
}

void FitUnits::outward(StartResult& result) const {
  result.estimate = objective(result.estimate);
  for (TraceRow& row : result.trace) row.estimate = objective(row.estimate);
  if (unit_ == 1) return;
  for (double& a : result.factors.mode_span(0)) a *= unit_;
}

}  // namespace polyad
