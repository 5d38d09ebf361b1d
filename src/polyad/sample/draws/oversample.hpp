#pragma once
// How many uniform candidates to draw in bulk so that, after rejecting nonzeros, q zeros remain (App. B of the paper).

#include <cstdint>

namespace polyad {

/// The exact need: q plus the 99.9999 % quantile of the number of rejects, NegativeBinomial(q, p_zero).
/// `p_zero` in (0, 1] is the chance that a uniform candidate is an observed zero.
std::uint64_t candidates_for_zeros(std::uint64_t q, double p_zero);

/// The paper's rho for that: candidates = rho * q / p_zero. (The paper uses 1.1 throughout.)
double oversampling_rate(std::uint64_t q, double p_zero);

}  // namespace polyad
