#include <polyad/fit.hpp>
#include <polyad/fit/verdict.hpp>

#include <polyad/base/clock.hpp>
#include <polyad/base/error.hpp>
#include <polyad/base/fields.hpp>
#include <polyad/base/parallel.hpp>
#include <polyad/base/simd_target.hpp>
#include <polyad/fit/held_out_loss.hpp>
#include <polyad/fit/plan.hpp>
#include <polyad/fit/race.hpp>
#include <polyad/kernel/exact_objective.hpp>
#include <polyad/model.hpp>
#include <polyad/solve/checkpoint/resume.hpp>
#include <polyad/solve/method_table.hpp>
#include <polyad/solve/revive.hpp>
#include <polyad/solve/starts.hpp>

#include <algorithm>
#include <cmath>

namespace polyad {

namespace {

// The exact objective is worth about a second of anybody's time, and those of all starts a few.
constexpr double exact_loss_cells = 4e7;
constexpr double exact_loss_cells_of_all = 2e8;
constexpr double verdict_cells = 1e7;

// The exact loss of each start, in order, where all of them are cheap to know; else empty. Where they are known they choose
// the best start instead of the estimates, which differ from them by the error of the sample.
std::vector<double> choose_exactly(const Tensor& tensor, const Loss& loss, std::size_t threads, MultistartResult& run) {
  std::vector<double> losses;
  const double cells = std::min(exact_loss_cells, exact_loss_cells_of_all / static_cast<double>(run.starts.size()));
  for (const StartResult& start : run.starts) {
    const auto exact = exact_objective(start.factors, tensor, loss, cells, threads);
    if (!exact) return {};
    losses.push_back(*exact);
  }
  run.best = lowest_finite(losses);
  return losses;
}

// Largest component first. Also renumbers the idle components, which move with the others.
KTensor arranged(Factors factors, IdleComponents& idle) {
  KTensor model(std::move(factors));
  normalize(model);
  resolve_signs(model);
  const std::vector<std::size_t> order = sort_by_size(model);
  std::vector<std::size_t> place(order.size());
  for (std::size_t n = 0; n < order.size(); ++n) place[order[n]] = n;
  for (std::size_t& j : idle.dead) j = place[j];
  std::ranges::sort(idle.dead);
  for (IdleComponents::Copy& copy : idle.copies) copy = {place[copy.of], place[copy.component]};
  return model;
}

// By the loss that the factors are of: the data's own, or that in the unit of the fit.
FitVerdict judge_best(const FitPlan& plan, const Loss& loss, const StartResult& best, std::size_t threads) {
  FitVerdict verdict;
  verdict.rank = best.factors.rank();
  verdict.quality = model_quality(
      best.factors, {*plan.tensor, loss, plan.prepared->segments, plan.options.sample, verdict_cells, threads});
  verdict.idle =
      useless_components(best.factors, {*plan.tensor, loss, plan.prepared->segments, plan.options.sample, threads});
  verdict.last_change = last_change(best.trace, verdict.quality.null_loss - verdict.quality.best_loss);
  return verdict;
}

}  // namespace

FitResult fit(const FitPlan& plan, const Monitor& monitor) {
  const Stopwatch clock(plan.seconds);
  const SimdUse simd(plan.simd);
  const Tensor& tensor = *plan.tensor;
  const Loss& loss = plan.loss;
  const FitOptions& used = plan.options;
  const std::size_t threads = thread_count(used.threads);
  const auto out_of_time = [&] { return used.stop.time_limit && clock.seconds() >= *used.stop.time_limit; };
  const auto store = make_checkpoint_store(tensor, used);
  const FitUnits& units = plan.prepared->units;
  Monitor watched = units.outward(monitor);
  watched.checkpoint = store.get();

  const RacedGuesses guesses(plan, {watched, clock, used.stop, 0, 1, threads});
  MultistartResult run =
      multistart(*used.starts, threads, watched, out_of_time,
                 [&](std::size_t start, ThreadBudget threads_now, const Monitor& guarded) {
                   Factors guess = guesses.guess(start);
                   if (auto ended = finished_start(store.get(), start, guess)) return std::move(*ended);
                   const StartContext context{guarded, clock, used.stop, start, *used.starts, threads_now};
                   StartResult result = plan.prepared->solver->run(std::move(guess), context);
                   keep_finished(store.get(), result);
                   return result;
                 });

  if (store != nullptr) store->flush();

  const std::vector<double> exact_losses = choose_exactly(tensor, units.loss(), threads, run);
  StartResult& best = run.starts[run.best];
  if (!std::isfinite(best.estimate)) {
    fail(ErrorKind::diverged,
         "no start found a finite model: the loss {} became infinite or undefined; try {}another `init-norm`",
         loss.spec(),
         is_sampled(used) ? fmt::format("a smaller {} (is {}) or ", option_name("rate"), *used.schedule.rate) : "");
  }

  const bool go_on = !monitor.interrupted() && !out_of_time();
  if (const auto finish = go_on ? make_finish(tensor, units.loss(), used, plan.prepared->segments) : nullptr) {
    finish_start(*finish, best, {watched, clock, used.stop, best.start, 1, threads});
  }

  look_nearby(plan, best, {watched, clock, used.stop, best.start, 1, threads}, out_of_time);
  revive_components(plan, best, {watched, clock, used.stop, best.start, 1, threads}, out_of_time);

  FitResult result;
  result.exact_loss = exact_objective(best.factors, tensor, units.loss(), exact_loss_cells, threads);
  if (result.exact_loss) result.exact_loss = units.objective(*result.exact_loss);
  if (!units.objective_fits()) result.verdict = judge_best(plan, units.loss(), best, threads);
  for (StartResult& start : run.starts) units.outward(start);
  result.estimate = best.estimate;
  result.why = best.why;
  if (units.objective_fits()) result.verdict = judge_best(plan, loss, best, threads);
  result.model = arranged(std::move(best.factors), result.verdict.idle);
  result.held_out = plan.held_out;
  if (plan.held_out && units.objective_fits()) {
    result.verdict.held_out_explained =
        held_out_sums(result.model, plan.held_out->cells, loss, result.verdict.quality.null_value, threads).explained();
  }
  std::vector<KTensor> solutions;
  for (StartResult& s : run.starts) solutions.emplace_back(std::move(s.factors));
  result.likeness = start_likeness(solutions, result.model, run.best);
  result.verdict.nearest_start = nearest_start(result.likeness, run.best);
  // Flat is not the same as right: what is wrong with the model is in the verdict.
  if (result.why == StopReason::converged && !result.verdict.converged()) result.why = StopReason::no_decrease;
  best.why = result.why;
  result.labels = tensor.labels();
  result.options = used;
  result.best_start = run.best;
  result.sampling = plan.sampling;
  result.simd = plan.simd;
  result.remarks = plan.remarks;
  if (store != nullptr && !store->remark().empty()) result.remarks.push_back(store->remark());
  if (store != nullptr) result.checkpoint_trouble = store->trouble();
  for (std::size_t n = 0; n < run.starts.size(); ++n) {
    StartResult& s = run.starts[n];
    const auto exact = exact_losses.empty() ? std::nullopt : std::optional(units.objective(exact_losses[n]));
    result.starts.push_back({s.start, s.estimate, exact, s.seconds, s.why, std::move(s.trace), std::move(s.note)});
  }
  result.seconds = clock.seconds();
  return result;
}

FitResult fit(const Tensor& tensor, const FitOptions& options, const Monitor& monitor, const FitInputs& inputs) {
  return fit(plan(tensor, options, inputs), monitor);
}

FitResult fit(const Tensor& tensor, const Loss& loss, const FitOptions& options, const Monitor& monitor,
              const FitInputs& inputs) {
  return fit(plan(tensor, loss, options, inputs), monitor);
}

}  // namespace polyad
