#include <polyad/solve/gcp_sgd.hpp>

#include <polyad/kernel/batch_objective.hpp>
#include <polyad/solve/checkpoint/resume.hpp>
#include <polyad/solve/iterations.hpp>
#include <polyad/solve/method_table.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace polyad {

namespace {

template <class T>
class Run {
 public:
  Run(const GcpProblem& problem, FactorsOf<T> guess, const RandomStream& stream, const Progress& about,
      const Monitor& monitor, const Stopwatch& since_fit_began, ThreadBudget threads)
      : problem_(problem),
        about_(about),
        monitor_(monitor),
        since_fit_began_(since_fit_began),
        threads_(threads),
        iterations_(problem, stream, guess, threads) {
    now_.moments = problem.optimizer.template start<T>(guess.flat().size());
    now_.factors = std::move(guess);
    resumed_ = monitor.checkpoint != nullptr &&
               resume(monitor.checkpoint->state_of(about.start), now_, forward_, seconds_before_);
    if (resumed_) return;
    now_.estimate = objective();
    forward_.best_factors = now_.factors;
    forward_.best_estimate = now_.estimate;
  }

  StartResult to_the_end() {
    std::optional<StopReason> why = stop_before_epoch();
    if (!resumed_) {
      record({0, seconds(), now_.estimate, problem_.schedule.rate(forward_.schedule, 0), true}, why.has_value());
    }
    while (!why) {
      why = epoch();
      if (!why && monitor_.checkpoint != nullptr)
        monitor_.checkpoint->keep(about_.start, state_of(now_, forward_, seconds()));
    }

    StartResult result;
    result.start = about_.start;
    result.factors = converted<double>(forward_.best_factors);
    result.estimate = forward_.best_estimate;
    result.trace = std::move(forward_.trace);
    result.why = *why;
    result.seconds = seconds();
    return result;
  }

 private:
  // Of this start, also before it was resumed.
  double seconds() const { return seconds_before_ + clock_.seconds(); }

  // One epoch; the reason to stop after it, if there is one.
  std::optional<StopReason> epoch() {
    const RewindStateOf<T> saved = now_;
    const double rate_at_start = problem_.schedule.rate(forward_.schedule, 0);
    const std::optional<StopReason> cut_short = iterations();
    now_.estimate = objective();

    const double before = saved.estimate;
    const double after = now_.estimate;
    const Verdict verdict = problem_.schedule.judge(forward_.schedule, before, after);
    if (verdict == Verdict::restore) now_ = saved;
    if (after < forward_.best_estimate || (!std::isfinite(forward_.best_estimate) && std::isfinite(after))) {
      forward_.best_estimate = after;
      forward_.best_factors = now_.factors;
    }

    std::optional<StopReason> why = cut_short ? cut_short : stop_after_epoch(before, after, verdict);
    record({forward_.schedule.epochs_run, seconds(), after, rate_at_start, verdict == Verdict::accept},
           why.has_value());
    return why;
  }

  // tau steps of Algorithm 4, fewer where the user interrupts or time runs out. A sampler that follows the model is refreshed
  // at the beginning and every so many steps.
  std::optional<StopReason> iterations() {
    std::optional<StopReason> why;
    const std::uint64_t all = problem_.schedule.options().epoch_iterations;
    const std::uint64_t interval = problem_.sampler.refresh_interval();
    for (std::uint64_t done = 0; done < all && !why;) {
      if (interval > 0) refresh_sampler(done);
      const std::uint64_t count = interval > 0 ? std::min(interval, all - done) : all;
      const std::uint64_t run = iterations_.run(
          now_.factors, now_.moments, forward_.draws, count,
          [&](std::uint64_t i) { return problem_.schedule.rate(forward_.schedule, done + i); },
          [&] {
            why = stop_now();
            return why.has_value();
          });
      forward_.draws += run;
      done += run;
    }
    return why;
  }

  void refresh_sampler(std::uint64_t iteration) {
    const Sampler& last = iteration == 0 ? problem_.sampler : *sampler_;
    sampler_ = last.refreshed(converted<double>(now_.factors), problem_.loss, iteration, threads_.now());
    iterations_.draw_from(*sampler_);
  }

  // A model with a non-finite entry is no model, even where the sampled objective happens not to see the entry.
  double objective() const {
    return now_.factors.all_finite() ? estimate(now_.factors, problem_.estimate_batch, problem_.loss, threads_.now())
                                     : std::numeric_limits<double>::quiet_NaN();
  }

  std::optional<StopReason> stop_now() const {
    if (monitor_.interrupted()) return StopReason::interrupted;
    if (problem_.stop.time_limit && since_fit_began_.seconds() >= *problem_.stop.time_limit) {
      return StopReason::time_limit;
    }
    return {};
  }

  std::optional<StopReason> stop_before_epoch() const {
    if (const auto why = stop_now()) return why;
    if (problem_.schedule.finished(forward_.schedule)) return StopReason::epochs_done;
    return {};
  }

  std::optional<StopReason> stop_after_epoch(double before, double after, Verdict verdict) const {
    if (problem_.schedule.finished(forward_.schedule)) {
      if (!problem_.schedule.gave_up(forward_.schedule)) return StopReason::epochs_done;
      return std::isfinite(after) ? StopReason::no_decrease : StopReason::diverged;
    }
    if (verdict == Verdict::accept &&
        std::abs(after - before) < problem_.stop.tolerance.value_or(0) * std::abs(before)) {
      return StopReason::tolerance;
    }
    return {};
  }

  void record(const TraceRow& row, bool last) {
    forward_.trace.push_back(row);
    if (!monitor_.on_epoch) return;
    Progress progress = about_;
    progress.row = row;
    progress.best = forward_.best_estimate;
    progress.last = last;
    monitor_.on_epoch(progress);
  }

  const GcpProblem& problem_;
  const Progress about_;
  const Monitor& monitor_;
  const Stopwatch& since_fit_began_;
  const ThreadBudget threads_;
  const Stopwatch clock_;
  double seconds_before_ = 0;
  bool resumed_ = false;
  std::unique_ptr<Sampler> sampler_;  ///< refreshed, where the problem's follows the model
  Iterations<T> iterations_;
  RewindStateOf<T> now_;
  ForwardStateOf<T> forward_;
};

}  // namespace

StartResult gcp_sgd(const GcpProblem& problem, Factors guess, RandomStream stream, const Progress& about_start,
                    const Monitor& monitor, const Stopwatch& since_fit_began, ThreadBudget threads) {
  if (problem.precision == Precision::in_single) {
    return Run<float>(problem, converted<float>(guess), stream, about_start, monitor, since_fit_began, threads)
        .to_the_end();
  }
  return Run<double>(problem, std::move(guess), stream, about_start, monitor, since_fit_began, threads).to_the_end();
}

SgdSolver::SgdSolver(const Tensor& tensor, const Loss& loss, std::vector<Segment> segments, const SgdSettings& settings)
    : loss_(loss),
      segments_(std::move(segments)),
      sampler_(make_sampler(tensor, loss.info(), settings.sample)),
      optimizer_(make_optimizer(settings.optimizer)),
      schedule_(settings.schedule),
      judge_(estimate_batch(tensor, settings.sample)),
      precision_(settings.precision),
      seed_(settings.seed) {}

StartResult SgdSolver::run(Factors guess, const StartContext& context) const {
  const GcpProblem problem{loss_, *sampler_, judge_, *optimizer_, schedule_, segments_, context.stop, precision_};
  Progress about;
  about.start = context.start;
  about.starts = context.starts;
  about.epochs = *schedule_.options().epochs;
  about.open_ended = schedule_.options().kind == ScheduleKind::paper;
  return gcp_sgd(problem, std::move(guess), RandomStream(seed_, Purpose::gradient, context.start), about,
                 context.monitor, context.since_fit_began, context.threads);
}

namespace {

constexpr std::array<std::string_view, 6> options_of_gcp_sgd = {
    "finish", "precision", "Sampling", "Importance sampling", "Step size", "Update rule"};

}  // namespace

extern constinit const MethodInfo gcp_sgd_method = {
    .word = "gcp-sgd",
    .help = "by sampled gradients",
    .sampled = true,
    .uses = options_of_gcp_sgd,
    .make = [](const MethodSetup& s) -> std::unique_ptr<Solver> {
      const FitOptions& o = s.options;
      s.tensor.expect_random_reads();
      return std::make_unique<SgdSolver>(s.tensor, s.loss, s.segments,
                                         SgdSettings{o.sample, o.schedule, o.optimizer, o.precision, o.seed});
    },
};

}  // namespace polyad
