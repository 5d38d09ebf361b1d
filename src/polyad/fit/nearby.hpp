#pragma once
// A lower minimum near the best one. Minima of CP objectives often differ in a few entries: some that are stuck at a bound, a
// component that serves another slice. Such neighbours are found more easily from the best model than from random guesses:
//
//   A' = 0.8 A o G / g + 0.2 G,   G a random guess, g the root mean square of its entries, o entry by entry
//
// is followed for some iterations, for as many G as there were starts: products keep the pattern of what was found, sums free what is stuck at 0. Where the lowest of these ends is lower it takes the best start's place, and is looked
// around in turn. (Basin hopping: Wales and Doye 1997, with exact solves for the descents.) It costs at most a few times
// what the starts cost, so it is for fits whose guesses race (race.hpp).

#include <polyad/fit/plan.hpp>
#include <polyad/solve/solver.hpp>

#include <functional>

namespace polyad {

/// Does nothing where the plan has no race. The result does not depend on threads.
void look_nearby(const FitPlan& plan, StartResult& best, const StartContext& context,
                 const std::function<bool()>& out_of_time);

}  // namespace polyad
