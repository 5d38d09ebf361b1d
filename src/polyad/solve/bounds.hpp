#pragma once
// Bounds on the factors (BoundOptions), mode by mode.

#include <polyad/model.hpp>
#include <polyad/optim/optimizer.hpp>
#include <polyad/options/method.hpp>
#include <polyad/tensor.hpp>

#include <vector>

namespace polyad {

/// One segment per mode. `loss_lower` is the bound that the loss asks for. Usage errors name the option.
std::vector<Segment> make_segments(const BoundOptions& options, double loss_lower, const Factors& factors,
                                   const Labels& labels);

/// Moves every entry of the (not fixed) modes into its bounds, as a starting guess must be.
void apply_bounds(Factors& factors, const std::vector<Segment>& segments);

}  // namespace polyad
