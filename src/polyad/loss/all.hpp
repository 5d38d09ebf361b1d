#pragma once
// THE list of built-in losses. Adding one = its header, a line here, and a golden row in the tests; look-up by name,
// help, documentation and the conformance suite follow.

#include <polyad/loss/block.hpp>

#include <span>
#include <string_view>
#include <vector>

namespace polyad {

/// The built-in losses with default parameters, in the order of the list.
std::span<const Loss> all_losses();

/// Reads "poisson" or "huber:delta=0.5" (several parameters: "name:a=1,b=2"). A usage error names the nearest known
/// loss or parameter.
Loss parse_loss(std::string_view spec);

}  // namespace polyad
