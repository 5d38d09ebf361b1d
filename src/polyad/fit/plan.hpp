#pragma once
// What a plan (polyad/fit.hpp) holds for the fit itself, made once, by `plan`; and the steps of a fit after its starts.

#include <polyad/fit.hpp>
#include <polyad/fit/starting_guess.hpp>
#include <polyad/fit/units.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/solve/solver.hpp>

#include <functional>
#include <memory>
#include <vector>

namespace polyad {

struct PreparedFit {
  std::vector<Segment> segments;  ///< the bounds of each mode
  FitUnits units;                 ///< guesses and solver are in the data's unit
  StartingGuesses guesses;
  std::unique_ptr<const Solver> solver;
  std::unique_ptr<const Solver> trial;  ///< follows each of `tries`; null where every guess is a start
  double expected_seconds = 0;          ///< of processor time; 0: nothing is known
};

/// After the best start and its finish: components that do no work are restarted (solve/revive.hpp) and the model is solved
/// again, by the exact finish where there is one and by the method itself otherwise. `context` is that of the best start on its
/// own, with the monitor that has the fit's store.
void revive_components(const FitPlan& plan, StartResult& best, const StartContext& context,
                       const std::function<bool()>& out_of_time);

/// What a model file keeps of a fit.
ModelFile to_model_file(const FitResult& result);

}  // namespace polyad
