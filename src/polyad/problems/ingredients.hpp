#pragma once
// What artificial problems are made of: streams of random numbers, true factors, and draws of data from a model's values.

#include <polyad/base/rng.hpp>
#include <polyad/cells.hpp>
#include <polyad/detail/aligned.hpp>
#include <polyad/model.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace polyad {

/// Which random numbers a generator uses for what. Every piece of work that may run on its own thread has a stream of its own,
/// numbered by the work, never by the thread.
enum class ProblemStream : std::uint64_t { factors = 1, values = 2, structure = 3, noise = 4, hidden = 5, density = 6 };

inline Generator problem_generator(std::uint64_t seed, ProblemStream stream, std::uint64_t part = 0) {
  return Generator(RandomStream(seed, Purpose::problem, part * 16 + static_cast<std::uint64_t>(stream)));
}

/// Entries uniform on (0, 1).
Factors uniform_factors(const IndexSpace& space, std::uint64_t rank, std::uint64_t seed);
/// Entries standard normal.
Factors normal_factors(const IndexSpace& space, std::uint64_t rank, std::uint64_t seed);
/// Entries gamma(0.7) + 0.02, each column scaled to sum 1: skewed, as shares of people, places and kinds are.
Factors skewed_factors(const IndexSpace& space, std::uint64_t rank, std::uint64_t seed);

/// Turns the model values of neighbouring cells into data, in place.
using DrawCells = std::function<void(Generator&, std::span<double>)>;

/// All cells in C order. The products over all modes but the last are formed once per fibre; runs of fibres are tasks
/// with a stream each, so that the result does not depend on `threads`. A usage error where the cells would not fit in memory.
AlignedVector<double> draw_dense(const KTensor& truth, const IndexSpace& space, std::uint64_t seed, std::size_t threads,
                                 const DrawCells& draw);

// Independent coin tosses for every cell of a large box, in time proportional to the number of heads.

/// Number of successes in `trials` tosses with chance p. Beyond 2^53 trials the Poisson limit serves (p is
/// then so small that the two laws differ by less than p).
std::uint64_t binomial_count(Generator& generator, double trials, double p);

/// The cells of the slab {index of `mode` = i} that show heads, each with value 1, appended to `out`: a
/// binomial number of distinct cells, which has the same law as a toss per cell.
void toss_slab(Generator& generator, const IndexSpace& space, std::size_t mode, Index i, double p, Records& out);

// Exact draws from the Poisson model x_i ~ poisson(m_i), m nonnegative (poisson_counts.cpp). A component's counts are a Poisson
// number of events, each with an index drawn from its normalised column in every mode: O(events), however many cells there are.
// Where more events than cells are expected, each cell is drawn separately.

/// The sum of the model over all cells.
double model_total(const KTensor& model);

/// The events as records (a cell may occur several times; SparseTensor sums them). A usage error where there
/// would be more than 1e9.
Records draw_poisson(const KTensor& truth, const IndexSpace& space, std::uint64_t seed, std::size_t threads);

}  // namespace polyad
