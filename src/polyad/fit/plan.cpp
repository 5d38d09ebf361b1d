#include <polyad/base/error.hpp>
#include <polyad/fields.hpp>
#include <polyad/fit/plan.hpp>
#include <polyad/solve/bounds.hpp>

#include <polyad/base/clock.hpp>
#include <polyad/base/parallel.hpp>
#include <polyad/base/simd_target.hpp>
#include <polyad/fit/check_data.hpp>
#include <polyad/fit/defaults.hpp>
#include <polyad/loss.hpp>
#include <polyad/sample/samplers.hpp>
#include <polyad/solve/method_table.hpp>

#include <algorithm>

namespace polyad {

namespace {

std::vector<Segment> segments_of(const Tensor& tensor, const Loss& loss, const FitOptions& used, bool has_model) {
  const std::vector<std::uint64_t> extents(tensor.space().extents().begin(), tensor.space().extents().end());
  std::vector<Segment> segments =
      make_segments(used.bounds, loss.info().lower, Factors(extents, used.rank), tensor.labels());
  if (!has_model && std::ranges::any_of(segments, &Segment::fixed)) {
    fail(ErrorKind::usage, "a fixed mode needs a starting model to take its factors from");
  }
  return segments;
}

std::string counted(std::uint64_t number, std::string_view what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

// By the clock, if all threads are free; nothing where it is over at once or not known.
std::string expected_time(const FitPlan& plan) {
  const double seconds = plan.prepared->expected_seconds / static_cast<double>(thread_count(plan.options.threads));
  if (seconds < 1) return "";
  const std::string amount = seconds < 100    ? fmt::format("{:.0f} seconds", seconds)
                             : seconds < 5400 ? fmt::format("{:.0f} minutes", seconds / 60)
                                              : fmt::format("{:.0f} hours", seconds / 3600);
  return fmt::format("  takes {}about {} on free cores\n", is_sampled(plan.options) ? "" : "at most ", amount);
}

std::string describe_steps(const FitOptions& o, const std::string& factors) {
  const std::string rates = o.schedule.kind == ScheduleKind::cosine
                                ? fmt::format("{:.3g} falling to {:.3g}", *o.schedule.rate, *o.schedule.final_rate)
                                : fmt::format("{:.3g}", *o.schedule.rate);
  std::string text =
      fmt::format("  {}{} epochs of {} iterations ({}), {}, step size {} ({})\n",
                  o.schedule.kind == ScheduleKind::paper ? "at most " : "", *o.schedule.epochs,
                  o.schedule.epoch_iterations, word_of(o.schedule.kind), word_of(o.optimizer.kind), rates, factors);
  if (o.finish != Finish::none) {
    text += fmt::format("  then the best start: at most {} exact iterations ({})\n", *o.stop.iterations,
                        word_of(*o.finish));
  }
  return text;
}

// Whether a loss is a function that somebody brought: others can be written down and read again.
bool is_own(const Loss& loss) {
  try {
    parse_loss(loss.spec());
    return false;
  } catch (const Error&) {
    return true;
  }
}

std::vector<std::string> remarks(const Tensor& tensor, const Loss& loss, const FitOptions& used,
                                 const FitUnits& units) {
  std::vector<std::string> lines;
  if (std::string ratings = unlisted_ratings(tensor); !ratings.empty()) lines.push_back(std::move(ratings));
  if (!units.objective_fits()) {
    lines.push_back(
        fmt::format("values of this size have losses beyond what numbers can hold: losses are given for the data "
                    "divided by {:.6g}",
                    units.unit()));
  }
  const MethodInfo* const last = is_sampled(used) ? info_of(*used.finish).method : &info_of(*used.method);
  const bool lbfgsb = last != nullptr && uses(*last, "L-BFGS-B");
  if (const std::string blas = blas_by_cpu(); simd_target() == SimdTarget::portable && lbfgsb && !blas.empty()) {
    lines.push_back(
        fmt::format("L-BFGS-B sums by {}, which chooses its code by CPU, so that the bits may differ between "
                    "machines; install the reference BLAS{}",
                    blas, blas == "OpenBLAS" ? " or set OPENBLAS_CORETYPE=Prescott" : ""));
  }
  if (simd_target() == SimdTarget::portable && is_own(loss)) {
    lines.push_back(
        fmt::format("the loss {} is computed by its own function, which `simd portable` does not cover: the bits may "
                    "differ between machines",
                    loss.name()));
  }
  return lines;
}

}  // namespace

FitPlan plan(const Tensor& tensor, const FitOptions& options, const FitInputs& inputs) {
  if (options.loss.empty()) {
    const auto advice = advise_losses(tensor);
    fail(ErrorKind::usage, "no loss given; for these data `loss {}` ({}) looks right, 'polyad losses' lists all",
         advice.front().loss, advice.front().reason);
  }
  return plan(tensor, parse_loss(options.loss), options, inputs);
}

FitPlan plan(const Tensor& all, const Loss& loss, const FitOptions& options, const FitInputs& inputs) {
  const Stopwatch clock;
  validate(options);
  const SimdUse simd(options.simd);
  check_something_observed(all);
  check_domain(all, loss);
  std::shared_ptr<const HeldOutSplit> split;
  if (!options.holdout.cells.empty()) split = std::make_shared<const HeldOutSplit>(hold_out(all, options.holdout));
  const Tensor& tensor = split ? split->training : all;
  check_method(tensor, loss, options);
  StartingGuesses guesses(tensor.space(), options.rank, inputs.start_from);
  const MethodChoice choice = choose_method(options, tensor, loss, guesses.has_model());
  check_factor_memory(tensor.space(), options, choice.starts, choice.tries);
  FitOptions used = with_defaults(options, choice, tensor, loss, guesses);
  check_work_memory(tensor, used);
  FitUnits units(tensor, loss, *used.guess.unit);
  std::vector<Segment> segments = segments_of(tensor, loss, used, guesses.has_model());
  std::unique_ptr<const Solver> solver = make_solver(tensor, units.loss(), used, segments);
  std::unique_ptr<const Solver> trial;
  if (used.guess.tries.value_or(0) > *used.starts) {
    trial = make_trial(tensor, units.loss(), used, segments, info_of(*used.method).trial_iterations);
  }
  std::string sampling = solver->describe();
  std::vector<std::string> notes = remarks(tensor, loss, used, units);
  if (split) notes.insert(notes.end(), split->remarks.begin(), split->remarks.end());
  auto prepared = std::make_shared<const PreparedFit>(PreparedFit{
      std::move(segments), std::move(units), std::move(guesses), std::move(solver), std::move(trial), choice.seconds});
  return {&tensor,
          loss,
          std::move(used),
          std::move(sampling),
          choice.reason,
          simd_target(),
          std::move(notes),
          clock.seconds(),
          std::move(prepared),
          std::move(split)};
}

std::string describe(const FitPlan& plan) {
  const FitOptions& o = plan.options;
  const std::string factors =
      o.bounds.lower == no_bound ? "factors of either sign" : fmt::format("factors at least {}", *o.bounds.lower);
  std::string text = fmt::format("Fit rank {}, loss {}, {} on {}, seed {}\n", o.rank, plan.loss.spec(),
                                 counted(*o.starts, "start"), counted(thread_count(o.threads), "thread"), o.seed);
  std::string notes = expected_time(plan);
  if (plan.held_out) notes += fmt::format("  held out: {} (holdout {})\n", plan.held_out->description, o.holdout.cells);
  for (const std::string& remark : plan.remarks) notes += fmt::format("  {}\n", remark);
  if (!plan.method_reason.empty()) {
    text += fmt::format("  method {}: {}\n", word_of(*o.method), plan.method_reason);
  }
  if (plan.prepared->trial != nullptr) {
    text += fmt::format("  {} random guesses are followed for {} iterations each, the best of them are the starts\n",
                        *o.guess.tries, info_of(*o.method).trial_iterations);
  }
  if (!is_sampled(o)) {
    return text +
           fmt::format("  {}: {}\n  at most {} iterations, {}\n",
                       plan.method_reason.empty() ? fmt::format("method {}", word_of(*o.method)) : "each iteration",
                       plan.sampling, *o.stop.iterations, factors) +
           notes;
  }
  text += fmt::format("  each iteration: {}, {}\n", word_of(*o.sample.sampler), plan.sampling);
  return text + describe_steps(o, factors) + notes;
}

}  // namespace polyad
