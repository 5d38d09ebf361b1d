#pragma once
// Uniform draws from a subset of a box: candidates are drawn in bulk (as many as App. B says will suffice in all but one of a
// million batches), the first that are admitted are kept, and another bulk follows where they fall short. Candidates are
// independent, so the kept ones are independent and uniform over the admitted cells.

#include <polyad/sample/draws/index_drawer.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace polyad {

/// Below this chance of being admitted, the admitted cells are listed once instead: the box is then barely
/// larger than the lists of what is not admitted, so that walking through it is affordable.
inline constexpr double least_acceptance = 1.0 / 32;

/// Moves the admitted ones of n indices to the front; returns how many. Without a branch on what is admitted.
std::size_t keep_admitted(const std::uint8_t* admitted, std::size_t n, Index* index);

/// Fills the index arrays of the batch at `slots`. `admits(index, first, n, admitted)` sets admitted[t] for the n cells
/// (index[0][first + t], index[1][first + t], ...). The batch has its final size; what lies behind the slots may be
/// overwritten, so parts of a batch are filled in order.
template <class Admits>
void fill_admitted(const IndexDrawer& drawer, const DrawKey& key, Slots slots, std::size_t candidates,
                   const Admits& admits, Batch& batch) {
  const std::size_t size = batch.size();
  const std::size_t end = slots.first + slots.count;
  std::size_t kept = slots.first;
  std::vector<std::uint8_t> admitted(candidates);
  std::array<const Index*, max_modes> index{};
  for (std::uint64_t begin = 0; kept < end; begin += candidates) {
    const std::size_t bulk = kept;
    for (auto& mode : batch.index) mode.resize(std::max(mode.size(), bulk + candidates));
    drawer.draw(key, slots, begin, candidates, batch, bulk);
    for (std::size_t k = 0; k < batch.modes(); ++k) index[k] = batch.index[k].data();
    admits(index.data(), bulk, candidates, admitted.data());
    std::size_t last = bulk;
    for (auto& mode : batch.index) last = keep_admitted(admitted.data(), candidates, mode.data() + bulk) + bulk;
    kept = std::min(last, end);
  }
  for (auto& mode : batch.index) mode.resize(size);
}

/// How many uniform candidates to draw in bulk so that q zeros remain after rejection (App. B): q plus the 99.9999 % quantile of the number of rejects, NegativeBinomial(q, p_zero).
/// `p_zero` in (0, 1] is the chance that a uniform candidate is an observed zero.
std::uint64_t candidates_for_zeros(std::uint64_t q, double p_zero);

/// The paper's rho for that: candidates = rho * q / p_zero. (The paper uses 1.1 throughout.)
double oversampling_rate(std::uint64_t q, double p_zero);

}  // namespace polyad
