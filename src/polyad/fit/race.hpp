#pragma once
// Which random guesses become the starts of a fit. CP objectives have many local minima, most of them poor. Where an exact method
// is cheap, many guesses (`tries`) are followed for a few iterations each, and the most promising of them become the starts, which
// go on from there: this finds rare minima for a fraction of what as many whole starts would cost. Measurements:
// docs/design/0003-defaults.md.
//
// The result does not depend on threads. A given starting model does not race: it is start 0 always.

#include <polyad/fit/plan.hpp>
#include <polyad/model.hpp>
#include <polyad/solve/solver.hpp>

#include <cstddef>
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

}  // namespace polyad
