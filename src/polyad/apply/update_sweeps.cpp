#include <polyad/apply/update_sweeps.hpp>

#include <polyad/apply/model_rows.hpp>
#include <polyad/base/clock.hpp>
#include <polyad/base/exact_numbers.hpp>
#include <polyad/solve/rows/row_replay.hpp>
#include <polyad/solve/rows/row_sum.hpp>
#include <polyad/solve/rows/solve_mode.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace polyad {

namespace {

constexpr double row_tolerance = 1e-6;
constexpr std::size_t row_iterations = 30;
constexpr double replayed_cells = 2e6;             // of all rows of a mode together, unless that leaves
constexpr std::uint64_t least_per_component = 32;  // cells per row for each component

void copy_mode(const Factors& from, std::size_t mode, Factors& to) {
  std::ranges::copy(from.mode_span(mode), to.mode_span(mode).begin());
}

double sum_of(const std::vector<double>& values) {
  CompensatedSum sum;
  for (const double v : values) sum.add(v);
  return sum.value();
}

}  // namespace

UpdateSweeps::UpdateSweeps(const Loss& loss, const Factors& old, const SliceMemory* memory, SweepSettings settings)
    : loss_(loss), old_(old), memory_(memory), settings_(std::move(settings)), replay_(old.modes()) {
  const bool any = std::ranges::any_of(settings_.remembered, [](double count) { return count > 0; });
  for (std::size_t k = 0; k < old.modes(); ++k) {
    if (!any && k != settings_.slices) continue;
    // Many rows need few cells each: all cells agree on where the old model is, and new data say little about each of many rows.
    const auto share = static_cast<std::uint64_t>(replayed_cells / static_cast<double>(old.rows(k)));
    const std::uint64_t cells = std::min(settings_.replay_cells, std::max(share, least_per_component * old.rank()));
    replay_[k].emplace(old_, ReplayRequest{k, settings_.slices, settings_.remembered, cells, settings_.seed});
  }
}

RowNewtonSettings UpdateSweeps::row_settings(std::size_t mode) const {
  RowNewtonSettings row;
  row.lower = settings_.lower[mode];
  row.upper = std::numeric_limits<double>::infinity();
  row.tolerance = row_tolerance;
  row.iterations = row_iterations;
  row.warm = true;
  return row;
}

std::vector<double> UpdateSweeps::solve_slices(const Tensor& tensor, const std::vector<double>& start, Factors& now,
                                               const Monitor& monitor) const {
  const std::size_t mode = settings_.slices;
  const ModeRows rows(tensor, now, mode, loss_, {.seed = settings_.seed});
  RowNewtonSettings row = row_settings(mode);
  if (!start.empty()) {
    row.warm = false;
    SolvedRows solved = solve_mode(rows, start, row, settings_.threads, monitor);
    copy_mode(solved.factors, mode, now);
  }
  const RowFunctionMaker make = [&] { return std::make_unique<RowObjective>(rows); };
  if (start.empty()) refine_mode({rows.rows(), make}, mode, row, settings_.threads, monitor, now);
  return row_values({rows.rows(), make}, mode, settings_.threads, now);
}

Factors UpdateSweeps::with_old_slices(const Factors& now) const {
  Factors past = with_new_rows(now, settings_.slices, old_.rows(settings_.slices));
  for (std::size_t i = 0; i < old_.rows(settings_.slices); ++i) {
    std::copy_n(old_.row(settings_.slices, i), old_.rank(), past.row(settings_.slices, i));
  }
  return past;
}

// One pass over all modes but that of the slices. Returns the objective as the last of them sees it.
double UpdateSweeps::refine_others(const Tensor& tensor, Factors& now, Factors& past, std::optional<Factors>& kept,
                                   const Monitor& monitor) const {
  double objective = 0;
  for (std::size_t k = 0; k < now.modes() && !monitor.interrupted(); ++k) {
    if (k == settings_.slices) continue;
    const ModeRows rows(tensor, now, k, loss_, {.seed = settings_.seed});
    std::optional<ModeRows> memory;
    AlignedVector<double> products;
    if (kept) memory.emplace(memory_->tensor, *kept, k, loss_, ModeRowsSettings{.seed = settings_.seed});
    if (replay_[k]) products = replay_[k]->products(past);
    const RowFunctionMaker make = [&]() -> std::unique_ptr<RowFunction> {
      std::vector<RowSum::Part> parts;
      parts.push_back({std::make_unique<RowObjective>(rows), 1});
      if (memory) parts.push_back({std::make_unique<RowObjective>(*memory), memory_->weight});
      if (replay_[k]) parts.push_back({std::make_unique<RowReplay>(*replay_[k], products, loss_, now.rank()), 1});
      return std::make_unique<RowSum>(std::move(parts));
    };
    refine_mode({rows.rows(), make}, k, row_settings(k), settings_.threads, monitor, now);
    copy_mode(now, k, past);
    if (kept) copy_mode(now, k, *kept);
    objective = sum_of(row_values({rows.rows(), make}, k, settings_.threads, now));
  }
  return objective;
}

SweepsEnd UpdateSweeps::run(const Tensor& tensor, Factors now, const Monitor& monitor) const {
  const Stopwatch clock;
  SweepsEnd end;
  Factors past = with_old_slices(now);
  if (memory_ != nullptr) end.kept = part_of(past, settings_.slices, memory_->rows);
  double before = std::numeric_limits<double>::quiet_NaN();
  for (std::uint64_t sweep = 1; sweep <= settings_.sweeps; ++sweep) {
    const double objective = refine_others(tensor, now, past, end.kept, monitor);
    end.slice_loss = solve_slices(tensor, {}, now, monitor);
    if (end.kept) solve_slices(memory_->tensor, {}, *end.kept, monitor);
    if (monitor.interrupted()) {
      end.why = StopReason::interrupted;
      break;
    }
    end.trace.push_back({sweep, clock.seconds(), objective, 0, true});
    if (monitor.on_epoch) {
      Progress progress;
      progress.epochs = settings_.sweeps;
      progress.open_ended = true;
      progress.row = end.trace.back();
      progress.best = objective;
      monitor.on_epoch(progress);
    }
    if (std::abs(before - objective) <= settings_.tolerance * std::abs(objective)) {
      end.why = StopReason::tolerance;
      break;
    }
    before = objective;
  }
  end.now = std::move(now);
  return end;
}

Factors UpdateSweeps::express_old(const Factors& now, const Monitor& monitor) const {
  const std::size_t slices = settings_.slices;
  // Components that were born have no part in old slices.
  Factors shared(now.extents(), old_.rank());
  for (std::size_t k = 0; k < now.modes(); ++k) {
    for (std::size_t i = 0; i < now.rows(k); ++i) std::copy_n(now.row(k, i), old_.rank(), shared.row(k, i));
  }
  Factors past = with_old_slices(shared);
  const ReplayCells& cells = *replay_[slices];
  const AlignedVector<double> products = cells.products(past);
  const RowFunctionMaker make = [&] { return std::make_unique<RowReplay>(cells, products, loss_, past.rank()); };
  refine_mode({past.rows(slices), make}, slices, row_settings(slices), settings_.threads, monitor, past);
  return past;
}

}  // namespace polyad
