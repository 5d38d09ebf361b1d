#pragma once
// What verdicts (polyad/fit.hpp) are made from, and how they are written down.

#include <polyad/base/json.hpp>
#include <polyad/fit.hpp>

#include <cstddef>
#include <optional>

namespace polyad {

/// The same facts for model files and scripts, with the sentence and the warnings.
Json to_json(const FitVerdict& verdict);

/// The part of `deviance` by which the estimate changed in the last epoch that was kept; nothing without epochs at the end.
std::optional<double> last_change(const Trace& trace, double deviance);
/// The likeness of the best start to the one most like it; nothing for one start.
std::optional<double> nearest_start(const StartLikeness& likeness, std::size_t best);

}  // namespace polyad
