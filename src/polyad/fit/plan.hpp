#pragma once
// What a plan (polyad/fit.hpp) holds for the fit itself. All of it is made once, by `plan`.

#include <polyad/fit.hpp>
#include <polyad/fit/starting_guess.hpp>
#include <polyad/fit/units.hpp>
#include <polyad/solve/solver.hpp>

#include <memory>
#include <vector>

namespace polyad {

struct PreparedFit {
  std::vector<Segment> segments;  ///< the bounds of each mode
  FitUnits units;                 ///< guesses and solver are in the data's unit
  StartingGuesses guesses;
  std::unique_ptr<const Solver> solver;
  std::unique_ptr<const Solver> trial;  ///< follows each of `tries`; null where every guess is a start
};

}  // namespace polyad
