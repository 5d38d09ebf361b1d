#include <polyad/fit/race.hpp>

#include <polyad/base/parallel.hpp>
#include <polyad/model/guess.hpp>
#include <polyad/solve/bounds.hpp>
#include <polyad/solve/method_table.hpp>
#include <polyad/solve/starts.hpp>

#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace polyad {

namespace {

constexpr std::size_t most_rounds = 4;
constexpr std::uint64_t followed = 100;  // iterations, before one is chosen to go on
constexpr double random_share = 0.2;
constexpr double least_decrease = 1e-8;  // of the objective, for a round to count

Factors shaken(const Factors& model, const Factors& random, const std::vector<Segment>& segments) {
  Factors out = model;
  const double size = size_of_entries(random);
  if (!(size > 0)) return out;
  for (std::size_t k = 0; k < model.modes(); ++k) {
    if (segments[k].fixed) continue;
    const auto from = random.mode_span(k);
    const auto to = out.mode_span(k);
    for (std::size_t n = 0; n < to.size(); ++n) {
      to[n] = (1 - random_share) * to[n] * (from[n] / size) + random_share * from[n];
    }
  }
  apply_bounds(out, segments);
  return out;
}

}  // namespace

void look_nearby(const FitPlan& plan, StartResult& best, const StartContext& context,
                 const std::function<bool()>& out_of_time) {
  const PreparedFit& prepared = *plan.prepared;
  if (prepared.trial == nullptr) return;
  const std::size_t guesses = *plan.options.starts;
  const auto solver = make_trial(*plan.tensor, prepared.units.loss(), plan.options, prepared.segments, followed);
  std::uint64_t number = *plan.options.guess.tries;  // the guesses before are the race's
  Monitor silent;
  silent.interrupt = context.monitor.interrupt;
  bool moved = false;
  for (std::size_t round = 0; round < most_rounds; ++round) {
    const Factors from = scale_free(prepared.segments) ? balanced(best.factors) : best.factors;
    std::vector<std::optional<StartResult>> found(guesses);
    parallel_tasks(guesses, context.threads.now(), [&](std::size_t n) {
      if (silent.interrupted() || out_of_time()) return;
      Factors guess =
          shaken(from, prepared.guesses.guess(plan.options, prepared.segments, number + n), prepared.segments);
      found[n] = solver->run(std::move(guess), {silent, context.since_fit_began, context.stop, best.start, 1, 1});
    });
    number += guesses;
    std::vector<double> objectives;
    for (const auto& result : found) objectives.push_back(result ? result->estimate : std::nan(""));
    std::optional<StartResult>& lowest = found[lowest_finite(objectives)];
    if (!lowest || !(lowest->estimate < best.estimate - least_decrease * std::abs(best.estimate))) break;
    continue_start(best, std::move(*lowest));
    moved = true;
  }
  if (moved) finish_start(*prepared.solver, best, context);
}

}  // namespace polyad
