#pragma once
// The loop of IndexDrawer, compiled for every instruction set (index_draw_simd.cpp): random words to indices, many samples
// at once, bit for bit what one sample at a time would give.

#include <polyad/base/rng.hpp>
#include <polyad/cells.hpp>

#include <cstdint>
#include <span>

namespace polyad::detail {

/// A mode of a tuple to be drawn: low + uniform on 0 .. extent-1, from the word at `word` of the tuple (and the next, where
/// one would be unfair).
struct DrawnMode {
  Index low;
  std::uint32_t extent;
  std::uint32_t word;
  bool two_words;
};

struct DrawnRange {
  std::uint64_t draw;
  std::uint32_t part;
  std::uint32_t first_sample;
  std::uint32_t first_block;  ///< the first of the Philox blocks of each tuple
  std::uint32_t blocks;       ///< Philox blocks a tuple
  std::size_t count;
};

/// out[k][t] for samples first_sample + t, t < count.
void draw_indices(const RandomStream& stream, const DrawnRange& range, std::span<const DrawnMode> modes,
                  Index* const* out);

}  // namespace polyad::detail
