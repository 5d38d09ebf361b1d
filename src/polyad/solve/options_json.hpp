#pragma once
// The options of a fit as one flat JSON object of names and values: in model files, checkpoints and machine-readable output.

#include <polyad/base/json.hpp>
#include <polyad/options.hpp>

namespace polyad {

Json to_json(const FitOptions& options);
/// The reverse; an unknown name is an error that suggests the nearest.
FitOptions fit_options_from_json(const Json& json);

}  // namespace polyad
