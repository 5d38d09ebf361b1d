#pragma once
// Uniform draws from a subset of a box: candidates are drawn in bulk (as many as App. B says will do but once
// in a million batches), the first that are admitted are kept, and another bulk follows where they fall
// short. Candidates are independent, so the kept ones are independent and uniform over the admitted cells.

#include <polyad/sample/index_drawer.hpp>

#include <algorithm>
#include <array>

namespace polyad {

/// Below this chance of being admitted, the admitted cells are listed once instead: the box is then barely
/// larger than the lists of what is not admitted, so that walking through it is affordable.
inline constexpr double least_acceptance = 1.0 / 32;

/// How many candidates ahead of its test a cell is announced by `admits.prefetch`, where there is such a
/// thing: look-ups in a large table wait for main memory otherwise.
inline constexpr std::size_t prefetch_distance = 16;

/// Fills the index arrays of the batch at `slots`. The batch has its final size; what lies behind the slots
/// may be overwritten, so parts of a batch are filled in order.
template <class Admits>
void fill_admitted(const IndexDrawer& drawer, const DrawKey& key, Slots slots, std::size_t candidates,
                   const Admits& admits, Batch& batch) {
  const std::size_t size = batch.size();
  const std::size_t end = slots.first + slots.count;
  std::size_t kept = slots.first;
  std::array<Index, max_modes> index{};
  for (std::uint64_t begin = 0; kept < end; begin += candidates) {
    const std::size_t bulk_begin = kept;
    const std::size_t bulk_end = kept + candidates;
    for (auto& mode : batch.index) mode.resize(std::max(mode.size(), bulk_end));
    drawer.draw(key, slots, begin, candidates, batch, bulk_begin);
    for (std::size_t c = bulk_begin; c < bulk_end && kept < end; ++c) {
      if constexpr (requires { admits.prefetch(index.data()); }) {
        if (c + prefetch_distance < bulk_end) {
          for (std::size_t k = 0; k < batch.modes(); ++k) index[k] = batch.index[k][c + prefetch_distance];
          admits.prefetch(index.data());
        }
      }
      for (std::size_t k = 0; k < batch.modes(); ++k) index[k] = batch.index[k][c];
      if (!admits(static_cast<const Index*>(index.data()))) continue;
      for (std::size_t k = 0; k < batch.modes(); ++k) batch.index[k][kept] = index[k];
      ++kept;
    }
  }
  for (auto& mode : batch.index) mode.resize(size);
}

}  // namespace polyad
