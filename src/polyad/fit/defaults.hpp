#pragma once
// What "auto" means. Chosen by measurement on the paper's problems and on real data: docs/design/0003-defaults.md.

#include <polyad/fit/choose_method.hpp>
#include <polyad/fit/starting_guess.hpp>
#include <polyad/loss.hpp>
#include <polyad/options.hpp>
#include <polyad/tensor/tensor.hpp>

namespace polyad {

/// The options with everything that is auto filled in for this tensor and loss. May draw the first starting guess to see its
/// size, so the model must fit into memory.
FitOptions with_defaults(const FitOptions& options, const MethodChoice& choice, const Tensor& tensor, const Loss& loss,
                         StartingGuesses& guesses);

}  // namespace polyad
