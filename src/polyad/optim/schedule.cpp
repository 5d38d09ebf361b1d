#include <polyad/base/error.hpp>
#include <polyad/optim/schedule.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace polyad {

namespace {

constexpr std::uint64_t default_epochs = 20;
constexpr double paper_rate = 0.01;
constexpr double final_share = 1e-3;  // of the rate, at the end of a cosine
constexpr std::uint64_t most_paper_epochs = 1000;

/// How much of the whole fit lies before this iteration, 0 to 1. In double: the product may exceed 64 bits.
double progress(const ScheduleOptions& options, const ScheduleState& state, std::uint64_t iteration) {
  const double an_epoch = static_cast<double>(options.epoch_iterations);
  const double done = static_cast<double>(state.epochs_run) * an_epoch + static_cast<double>(iteration);
  return std::min(1.0, done / (static_cast<double>(*options.epochs) * an_epoch));
}

}  // namespace

ScheduleOptions resolve(const ScheduleOptions& options) {
  validate_fields(options);
  ScheduleOptions resolved = options;
  if (!resolved.epochs) resolved.epochs = options.kind == ScheduleKind::paper ? most_paper_epochs : default_epochs;
  if (!resolved.rate) resolved.rate = paper_rate;
  if (!resolved.final_rate) resolved.final_rate = *resolved.rate * final_share;
  if (options.kind == ScheduleKind::cosine && *resolved.final_rate > *resolved.rate) {
    fail(ErrorKind::usage, "final-rate must not exceed rate, which is {} (is {})", *resolved.rate,
         *resolved.final_rate);
  }
  return resolved;
}

Schedule::Schedule(const ScheduleOptions& options) : options_(resolve(options)) {}

double Schedule::rate(const ScheduleState& state, std::uint64_t iteration) const {
  if (options_.kind != ScheduleKind::cosine) return *options_.rate * state.scale;
  const double height = (1 + std::cos(std::numbers::pi * progress(options_, state, iteration))) / 2;
  return (*options_.final_rate + (*options_.rate - *options_.final_rate) * height) * state.scale;
}

Verdict Schedule::judge(ScheduleState& state, double before, double after) const {
  ++state.epochs_run;
  const bool bad = !std::isfinite(after) || (options_.kind == ScheduleKind::paper && after > before);
  if (!bad) return Verdict::accept;
  ++state.bad_epochs;
  state.scale *= options_.decay;
  return Verdict::restore;
}

bool Schedule::finished(const ScheduleState& state) const {
  return state.epochs_run >= *options_.epochs || gave_up(state);
}

bool Schedule::gave_up(const ScheduleState& state) const {
  return options_.kind == ScheduleKind::paper ? state.bad_epochs > options_.max_bad_epochs
                                              : state.bad_epochs >= max_nonfinite_epochs;
}

}  // namespace polyad
