#include <polyad/solve/exact_progress.hpp>

#include <cmath>
#include <utility>

namespace polyad {

ExactProgress::ExactProgress(const StartContext& context, std::uint64_t iterations)
    : context_(context), iterations_(iterations) {}

std::optional<StopReason> ExactProgress::stop_now() const {
  if (context_.monitor.interrupted()) return StopReason::interrupted;
  if (context_.stop.time_limit && context_.since_fit_began.seconds() >= *context_.stop.time_limit) {
    return StopReason::time_limit;
  }
  return {};
}

std::optional<StopReason> ExactProgress::record(const Factors& factors, double objective, const std::string& note,
                                                std::optional<StopReason> finished) {
  const bool finite = std::isfinite(objective) && factors.all_finite();
  const bool better = trace_.empty() || (finite && !(best_ <= objective));
  if (better) {
    best_ = finite ? objective : std::nan("");
    best_factors_ = factors;
  }
  note_ = note;
  trace_.push_back({trace_.size(), clock_.seconds(), objective, 0.0, better});

  std::optional<StopReason> why = finished;
  if (!finite) why = StopReason::diverged;
  if (!why) why = stop_now();
  if (!why && trace_.size() > iterations_) why = StopReason::iterations_done;
  if (why) why_ = *why;

  if (context_.monitor.on_epoch) {
    Progress progress;
    progress.start = context_.start;
    progress.starts = context_.starts;
    progress.epochs = iterations_;
    progress.open_ended = true;
    progress.row = trace_.back();
    progress.best = best_;
    progress.last = why.has_value();
    progress.note = note;
    context_.monitor.on_epoch(progress);
  }
  return why;
}

void ExactProgress::cut_short(StopReason why) {
  why_ = why;
}

StartResult ExactProgress::result() && {
  StartResult result;
  result.start = context_.start;
  result.factors = std::move(best_factors_);
  result.estimate = best_;
  result.trace = std::move(trace_);
  result.why = why_;
  result.seconds = clock_.seconds();
  result.note = std::move(note_);
  return result;
}

}  // namespace polyad
