#include <polyad/fit/race.hpp>

#include <polyad/base/parallel.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace polyad {

namespace {

struct Try {
  Factors factors;
  double objective = std::numeric_limits<double>::infinity();
};

}  // namespace

RacedGuesses::RacedGuesses(const FitPlan& plan, const StartContext& context) : plan_(plan) {
  const PreparedFit& prepared = *plan.prepared;
  if (prepared.trial == nullptr) return;
  const std::size_t starts = *plan.options.starts;
  std::vector<Try> tries(*plan.options.guess.tries);
  Monitor silent;
  silent.interrupt = context.monitor.interrupt;
  const auto out_of_time = [&] {
    return context.stop.time_limit && context.since_fit_began.seconds() >= *context.stop.time_limit;
  };
  parallel_tasks(tries.size(), context.threads.now(), [&](std::size_t n) {
    Factors guess = prepared.guesses.guess(plan.options, prepared.segments, n);
    if (silent.interrupted() || out_of_time()) {
      tries[n].factors = std::move(guess);
      return;
    }
    StartResult result =
        prepared.trial->run(std::move(guess), {silent, context.since_fit_began, context.stop, n, tries.size(), 1});
    tries[n].factors = std::move(result.factors);
    if (std::isfinite(result.estimate)) tries[n].objective = result.estimate;
  });
  const auto raced = tries.begin() + (prepared.guesses.has_model() ? 1 : 0);
  std::stable_sort(raced, tries.end(), [](const Try& a, const Try& b) { return a.objective < b.objective; });
  for (std::size_t start = 0; start < starts; ++start) best_.push_back(std::move(tries[start].factors));
}

Factors RacedGuesses::guess(std::size_t start) const {
  if (!best_.empty()) return best_[start];
  return plan_.prepared->guesses.guess(plan_.options, plan_.prepared->segments, start);
}

}  // namespace polyad
