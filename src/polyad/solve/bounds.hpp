#pragma once
// Bounds on the factors: for all modes at once, or for one mode; a mode can also be held fixed.

#include <polyad/base/fields.hpp>
#include <polyad/model/factors.hpp>
#include <polyad/optim/optimizer.hpp>
#include <polyad/tensor/labels.hpp>

#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace polyad {

struct BoundOptions {
  std::optional<double> lower;
  std::optional<double> upper;
  std::vector<std::string> modes;

  static auto fields() {
    return std::tuple{
        field("lower", &BoundOptions::lower, "lower bound of all factor entries (-inf: none); auto: the loss's own"),
        field("upper", &BoundOptions::upper, "upper bound of all factor entries; auto: none"),
        field("bound", &BoundOptions::modes,
              "bounds of one mode, by name or number: 'MODE:lower=0,upper=1', 'MODE:upper=inf' or 'MODE:fixed'"),
    };
  }
};

/// One segment a mode. `loss_lower` is the bound that the loss asks for. Usage errors name the option.
std::vector<Segment> make_segments(const BoundOptions& options, double loss_lower, const Factors& factors,
                                   const Labels& labels);

/// Moves every entry of the (not fixed) modes into its bounds, as a starting guess must be.
void apply_bounds(Factors& factors, const std::vector<Segment>& segments);

}  // namespace polyad
