#pragma once
// True factors of the unlabelled problems.

#include <polyad/cells.hpp>
#include <polyad/model.hpp>

#include <cstdint>

namespace polyad {

/// Entries uniform on (0, 1).
Factors uniform_factors(const IndexSpace& space, std::uint64_t rank, std::uint64_t seed);
/// Entries standard normal.
Factors normal_factors(const IndexSpace& space, std::uint64_t rank, std::uint64_t seed);
/// Entries gamma(0.7) + 0.02, each column scaled to sum 1: skewed, as shares of people, places and kinds are.
Factors skewed_factors(const IndexSpace& space, std::uint64_t rank, std::uint64_t seed);

}  // namespace polyad
