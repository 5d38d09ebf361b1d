#pragma once
// Starting guesses: random factors, the same for every sampler and sample size given (seed, start).

#include <polyad/base/rng.hpp>
#include <polyad/model.hpp>
#include <polyad/options/start.hpp>

#include <cstdint>

namespace polyad {

/// Entries drawn from (seed, start), of mixed ones those of even starts uniform; then scaled evenly over the modes so that norm(M) = `target_norm` where
/// that is positive.
Factors random_guess(const IndexSpace& space, std::size_t rank, GuessKind kind, double target_norm, std::uint64_t seed,
                     std::uint64_t start);

/// A model that is about `level` everywhere, for losses whose m is a logarithm or the like: the first component holds the level,
/// the others begin around 0 with entries of both signs. Model values spread by about 1/2.
Factors level_guess(const IndexSpace& space, std::size_t rank, double level, std::uint64_t seed, std::uint64_t start);

/// Root mean square of the entries of all modes.
double size_of_entries(const Factors& factors);

}  // namespace polyad
