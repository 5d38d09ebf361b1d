#include <polyad/fit/fit.hpp>

#include <polyad/base/json_fields.hpp>
#include <polyad/base/memory.hpp>
#include <polyad/base/parallel.hpp>
#include <polyad/fit/check_data.hpp>
#include <polyad/fit/checkpoint.hpp>
#include <polyad/fit/defaults.hpp>
#include <polyad/fit/make_solver.hpp>
#include <polyad/fit/units.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/kernel/estimate.hpp>
#include <polyad/loss/all.hpp>
#include <polyad/model/arrange.hpp>
#include <polyad/model/guess.hpp>
#include <polyad/solve/finish.hpp>
#include <polyad/solve/multistart.hpp>

#include <polyad/version.hpp>

#include <algorithm>
#include <cmath>

namespace polyad {

namespace {

// The exact objective is worth about a second of anybody's time, and those of all starts a few.
constexpr double exact_loss_cells = 4e7;
constexpr double exact_loss_cells_of_all = 2e8;

// Factor-sized buffers a start holds: parameters, gradient, two moments; the copies saved for a restore; the best.
constexpr double buffers_a_start = 8;

void check_memory(const IndexSpace& space, const FitOptions& options, std::uint64_t starts) {
  const double concurrent = static_cast<double>(std::min<std::uint64_t>(thread_count(options.threads), starts));
  const double factors =
      static_cast<double>(space.sum_of_extents()) * static_cast<double>(row_stride(options.rank)) * 8;
  const double need = factors * (buffers_a_start * concurrent + static_cast<double>(starts));
  const double there_is = available_memory();
  if (need > there_is) {
    fail(ErrorKind::data,
         "a model of shape {} and rank {} needs about {} of memory for the fit, {} are available; "
         "check the shape, or use a lower rank, fewer starts or fewer threads",
         space.to_string(), options.rank, bytes_text(need), bytes_text(there_is));
  }
  const std::uint64_t largest = std::ranges::max(space.extents());
  if (largest > max_held_extent) {
    fail(ErrorKind::data, "a model of shape {} cannot be fitted: a factor has at most {} rows; check the shape",
         space.to_string(), max_held_extent);
  }
}

void check_start_model(const KTensor& model, const IndexSpace& space, std::size_t rank) {
  const auto extents = space.extents();
  if (!std::equal(extents.begin(), extents.end(), model.factors.extents().begin(), model.factors.extents().end())) {
    fail(ErrorKind::usage, "the starting model has another shape than the data ({})", space.to_string());
  }
  if (model.rank() != rank) {
    fail(ErrorKind::usage, "the starting model has rank {}, but rank {} is asked for", model.rank(), rank);
  }
}

// The guess of one start: random, or the given model; fixed modes always come from the given model.
Factors starting_guess(const Tensor& tensor, const FitOptions& options, const std::vector<Segment>& segments,
                       const KTensor* start_model, std::uint64_t start) {
  std::optional<Factors> given;
  if (start_model != nullptr) {
    KTensor balanced = *start_model;
    distribute_weights(balanced);
    given = std::move(balanced.factors);
    if (start == 0) {
      apply_bounds(*given, segments);
      return *given;
    }
  }
  Factors guess = random_guess(tensor.space(), options.rank, options.guess, options.seed, start);
  for (std::size_t k = 0; k < segments.size(); ++k) {
    if (segments[k].fixed) std::ranges::copy(given->mode_span(k), guess.mode_span(k).begin());
  }
  apply_bounds(guess, segments);
  return guess;
}

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

KTensor arranged(Factors factors) {
  KTensor model(std::move(factors));
  normalize(model);
  resolve_signs(model);
  sort_by_weight(model);
  return model;
}

}  // namespace

FitPlan plan_fit(const Tensor& tensor, const FitOptions& options, const KTensor* start_model) {
  if (options.loss.empty()) {
    const auto advice = advise_losses(value_facts(tensor));
    fail(ErrorKind::usage, "no loss given; for these data --loss {} ({}) looks right, 'polyad losses' lists all",
         advice.front().loss, advice.front().reason);
  }
  return plan_fit(tensor, parse_loss(options.loss), options, start_model);
}

FitPlan plan_fit(const Tensor& tensor, const Loss& loss, const FitOptions& options, const KTensor* start_model) {
  validate(options);
  check_domain(tensor, loss);
  check_method(tensor, loss, options);
  if (start_model != nullptr) check_start_model(*start_model, tensor.space(), options.rank);
  check_memory(tensor.space(), options, starts_of(options, start_model));
  FitPlan plan{with_defaults(options, tensor, loss, start_model), loss, ""};
  plan.sampling = describe_work(tensor, loss, plan.options);
  return plan;
}

FitResult fit(const Tensor& tensor, const FitOptions& options, const Monitor& monitor, const KTensor* start_model) {
  const FitPlan plan = plan_fit(tensor, options, start_model);
  return fit(tensor, plan.loss, options, monitor, start_model);
}

FitResult fit(const Tensor& tensor, const Loss& loss, const FitOptions& options, const Monitor& monitor,
              const KTensor* start_model) {
  const Stopwatch clock;
  const FitPlan plan = plan_fit(tensor, loss, options, start_model);
  const FitOptions& used = plan.options;

  const std::vector<std::uint64_t> extents(tensor.space().extents().begin(), tensor.space().extents().end());
  const std::vector<Segment> segments =
      make_segments(used.bounds, loss.info().lower, Factors(extents, used.rank), tensor.labels());
  if (start_model == nullptr && std::ranges::any_of(segments, &Segment::fixed)) {
    fail(ErrorKind::usage, "a fixed mode needs a starting model to take its factors from");
  }

  // From here on all is in units of the data's size, until the result.
  const FitUnits units(tensor, loss, *used.guess.unit);
  std::optional<KTensor> given;
  if (start_model != nullptr) given = units.inward(*start_model);
  const auto solver = make_solver(tensor, units.loss(), used, segments);
  const std::size_t threads = thread_count(used.threads);
  const auto out_of_time = [&] { return used.stop.time_limit && clock.seconds() >= *used.stop.time_limit; };
  const auto keeper = make_keeper(tensor, used);
  Monitor watched = units.outward(monitor);
  watched.keeper = keeper.get();

  MultistartResult run =
      multistart(*used.starts, threads, watched, out_of_time,
                 [&](std::size_t start, ThreadBudget threads_now, const Monitor& guarded) {
                   Factors guess = starting_guess(tensor, used, segments, given ? &*given : nullptr, start);
                   if (auto ended = finished_start(keeper.get(), start, guess)) return std::move(*ended);
                   const StartContext context{guarded, clock, used.stop, start, *used.starts, threads_now};
                   StartResult result = solver->run(std::move(guess), context);
                   keep_finished(keeper.get(), result);
                   return result;
                 });

  if (keeper != nullptr) keeper->flush();

  const std::vector<double> exact_losses = choose_exactly(tensor, units.loss(), threads, run);
  StartResult& best = run.starts[run.best];
  if (!std::isfinite(best.estimate)) {
    fail(ErrorKind::diverged,
         "no start found a finite model: the loss {} became infinite or undefined; try {}another --init-norm",
         loss.spec(),
         used.method == Method::gcp_sgd ? fmt::format("a smaller --rate (is {}) or ", *used.schedule.rate) : "");
  }

  if (used.finish != Finish::none && !monitor.interrupted() && !out_of_time()) {
    const auto finish = make_finish(tensor, units.loss(), used, segments);
    watched.keeper = nullptr;
    finish_start(*finish, best, {watched, clock, used.stop, best.start, 1, threads});
  }

  FitResult result;
  result.exact_loss = exact_objective(best.factors, tensor, units.loss(), exact_loss_cells, threads);
  if (result.exact_loss) result.exact_loss = units.objective(*result.exact_loss);
  for (StartResult& start : run.starts) units.outward(start);
  result.estimate = best.estimate;
  result.why = best.why;
  result.model = arranged(std::move(best.factors));
  units.outward(result.model);
  std::vector<KTensor> solutions;
  for (StartResult& s : run.starts) solutions.emplace_back(std::move(s.factors));
  result.likeness = start_likeness(solutions, result.model, run.best);
  result.labels = tensor.labels();
  result.options = used;
  result.best_start = run.best;
  result.sampling = plan.sampling;
  if (keeper != nullptr) result.checkpoint_trouble = keeper->trouble();
  for (std::size_t n = 0; n < run.starts.size(); ++n) {
    StartResult& s = run.starts[n];
    const auto exact = exact_losses.empty() ? std::nullopt : std::optional(units.objective(exact_losses[n]));
    result.starts.push_back({s.start, s.estimate, exact, s.seconds, s.why, std::move(s.trace), std::move(s.note)});
  }
  result.seconds = clock.seconds();
  return result;
}

ModelFile to_model_file(const FitResult& result) {
  ModelFile file;
  file.model = result.model;
  file.labels = result.labels;
  file.options = to_json(result.options);
  file.summary["estimate"] = result.estimate;
  if (result.exact_loss) file.summary["exact-loss"] = *result.exact_loss;
  file.summary["why"] = word_of(result.why);
  file.summary["seconds"] = result.seconds;
  file.summary["best-start"] = result.starts[result.best_start].start + 1;
  file.summary["sampling"] = result.sampling;
  file.summary["version"] = version;
  add_likeness(file.diagnostics, result.likeness);
  for (const StartSummary& s : result.starts) {
    file.traces.push_back(s.trace);
    file.summary["starts"].push_back(
        {{"start", s.start + 1}, {"estimate", json_of(s.estimate)}, {"seconds", s.seconds}, {"why", word_of(s.why)}});
    if (s.exact_loss) file.summary["starts"].back()["exact-loss"] = json_of(*s.exact_loss);
    if (!s.note.empty()) file.summary["starts"].back()["note"] = s.note;
  }
  return file;
}

}  // namespace polyad
