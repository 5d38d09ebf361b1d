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

/// Whether bounds stay what they are when a component's size moves from one mode to another.
bool scale_free(const std::vector<Segment>& segments);
/// The same model with columns that are equally large in all modes, so that a step means the same in each of them.
Factors balanced(const Factors& model);

}  // namespace polyad
