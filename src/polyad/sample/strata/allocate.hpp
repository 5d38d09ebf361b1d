#pragma once
// Divides a whole number of samples among strata.

#include <cstdint>
#include <span>
#include <vector>

namespace polyad {

/// In proportion to the sizes (all positive) by largest remainders, but at least one each: strata that would
/// get less take theirs first. `total` must be at least the number of strata.
std::vector<std::uint64_t> divide_samples(std::uint64_t total, std::span<const double> sizes);

}  // namespace polyad
