#pragma once
// Which random guesses become the starts of a fit. CP objectives have many local minima, most of them poor. Where an exact method
// is cheap, many guesses (`tries`) are followed for a few iterations each, and the most promising of them become the starts, which
// go on from there: this finds rare minima for a fraction of what as many whole starts would cost. Measurements:
// docs/design/0003-defaults.md.
//
// The result does not depend on threads. A given starting model does not race: it is start 0 always.
//
// `look_nearby` then searches for a lower minimum near the best one. Minima of CP objectives often differ in a few entries: some that are stuck at a bound, a
// component that serves another slice. Such neighbours are found more easily from the best model than from random guesses:
//
//   A' = 0.8 A o G / g + 0.2 G,   G a random guess, g the root mean square of its entries, o entry by entry
//
// is followed for some iterations, for as many G as there were starts: products keep the pattern of what was found, sums free what
// is stuck at 0. Where the lowest of these ends is lower it takes the best start's place, and is looked around in turn. (Basin
// hopping: Wales and Doye 1997, with exact solves for the descents.) It costs at most a few times what the starts cost, so it is
// for fits whose guesses race.

#include <polyad/fit/plan.hpp>
#include <polyad/model.hpp>
#include <polyad/solve/solver.hpp>

#include <cstddef>
#include <functional>
#include <vector>

namespace polyad {

class RacedGuesses {
 public:
  /// Runs the race where the plan has one; guesses that an interrupt or the time limit leaves out come last.
  RacedGuesses(const FitPlan& plan, const StartContext& context);

  /// What a start begins from, within its bounds.
  Factors guess(std::size_t start) const;

 private:
  const FitPlan& plan_;
  std::vector<Factors> best_;  ///< lowest objective first, one per start; empty where every guess is a start
};

/// From the best start, whose place a lower minimum takes. Does nothing where the plan has no race. The result does not depend on threads.
void look_nearby(const FitPlan& plan, StartResult& best, const StartContext& context,
                 const std::function<bool()>& out_of_time);

}  // namespace polyad
