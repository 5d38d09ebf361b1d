#pragma once
// Independent coin tosses for every cell of a large box, in time proportional to the number of heads.

#include <polyad/base/rng.hpp>
#include <polyad/cells.hpp>

#include <cstdint>

namespace polyad {

/// Number of successes in `trials` tosses with chance p. Beyond 2^53 trials the Poisson limit serves (p is
/// then so small that the two laws differ by less than p).
std::uint64_t binomial_count(Generator& generator, double trials, double p);

/// The cells of the slab {index of `mode` = i} that show heads, each with value 1, appended to `out`: a
/// binomial number of distinct cells, which has the same law as a toss a cell.
void toss_slab(Generator& generator, const IndexSpace& space, std::size_t mode, Index i, double p, Records& out);

}  // namespace polyad
