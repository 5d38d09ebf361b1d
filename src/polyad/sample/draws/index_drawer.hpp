#pragma once
// Uniform index tuples from a random stream, mode by mode, so that the size of the space never needs an integer.
//
// Fixed layout of words: a mode of up to 2^16 indices takes one 32-bit word, a larger one two (32 bits would be biased by
// n / 2^32). A tuple takes its words from whole Philox blocks; attempt a at a sample uses blocks
// a * blocks() .. , so that a rejected tuple is redrawn from fresh words. The counter is (draw, part, sample, block): a
// batch gives every slot its own sample number, hence no two draws ever share a word.

#include <polyad/base/rng.hpp>
#include <polyad/kernel/batch.hpp>
#include <polyad/sample/draws/box.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace polyad {

namespace detail {

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
  std::uint32_t blocks;       ///< Philox blocks per tuple
  std::size_t count;
};

/// The loop of IndexDrawer, compiled for every instruction set (index_drawer_simd.cpp): random words to indices, many samples at
/// once, bit for bit what one sample at a time would give. Writes out[k][t] for samples first_sample + t, t < count.
void draw_indices(const RandomStream& stream, const DrawnRange& range, std::span<const DrawnMode> modes,
                  Index* const* out);

}  // namespace detail

/// The largest range for which one 32-bit word is fair enough.
inline constexpr std::uint64_t one_word_extent = std::uint64_t{1} << 16;

/// Which batch is being drawn, and which part of it.
struct DrawKey {
  const RandomStream& stream;
  std::uint64_t draw;
  std::uint32_t part = 0;
};

/// Uniform on 0 .. n-1 for samples first .. first+count-1, the only number drawn at each.
void draw_numbers(const DrawKey& key, std::size_t first, std::size_t count, std::uint64_t n, std::uint64_t* out);

/// Candidates for the slots first .. first+count-1: candidate c is attempt c / count at slot first + c % count.
struct Slots {
  std::size_t first;
  std::size_t count;
};

class IndexDrawer {
 public:
  /// Draws cells of this box.
  explicit IndexDrawer(const Box& box);

  /// Philox blocks per tuple.
  std::uint32_t blocks() const { return blocks_; }
  /// One tuple.
  void draw(const DrawKey& key, std::size_t sample, std::uint32_t attempt, Index* index) const;
  /// Candidates begin .. begin+n-1 of `slots`, written to the batch's index arrays from position `at` on.
  void draw(const DrawKey& key, Slots slots, std::uint64_t begin, std::size_t n, Batch& batch, std::size_t at) const;

 private:
  std::vector<detail::DrawnMode> modes_;
  std::uint32_t blocks_;
};

}  // namespace polyad
