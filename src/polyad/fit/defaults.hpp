#pragma once
// What "auto" means. Chosen by measurement on the paper's problems and on real data: docs/design/0003-defaults.md.
//
// Which method, which finish and how many starts, where these are auto.
//
// A sampled start costs about the same whatever the data, an exact one grows with them. Both are estimated from counts (cells
// or nonzeros, samples, numbers in the model), in seconds measured on one core: docs/design/0003-defaults.md has the
// measurements. Where an exact start, with all the iterations it may take, is no dearer than a sampled one, it is exact; and
// as CP objectives have local minima, what that saves is spent on more starts, and on guesses that race to
// become one (race.hpp).

#include <polyad/fit/starting_guess.hpp>
#include <polyad/loss.hpp>
#include <polyad/options.hpp>
#include <polyad/tensor/tensor.hpp>

#include <cstdint>
#include <string>

namespace polyad {

struct MethodChoice {
  Method method;
  Finish finish = Finish::none;
  std::uint64_t starts = 1;
  std::uint64_t tries = 0;  ///< guesses that race to become a start; 0: every guess is one
  std::string reason;       ///< "4,992 cells are few: exact gradients"; empty where the method was asked for
  /// Of processor time for all starts and the finish, as counts let expect it; at most so many for exact methods, which may end
  /// early. 0: nothing is known.
  double seconds = 0;
};

/// What is asked for stays. An option that only some methods use decides for one of these: `epochs` for sampled gradients,
/// `ridge` for CP-ALS. `from_model`: a starting model is given, and one start is enough.
MethodChoice choose_method(const FitOptions& options, const Tensor& tensor, const Loss& loss, bool from_model);

/// The options with everything that is auto filled in for this tensor and loss. May draw the first starting guess to see its
/// size, so the model must fit into memory.
FitOptions with_defaults(const FitOptions& options, const MethodChoice& choice, const Tensor& tensor, const Loss& loss,
                         StartingGuesses& guesses);

}  // namespace polyad
