#pragma once
// Uniform index tuples from a random stream, mode by mode, so that the size of the space never needs an
// integer.
//
// Fixed layout of words: a mode of up to 2^16 indices takes one 32-bit word, a larger one two (32 bits would
// be biased by n / 2^32). A tuple takes its words from whole Philox blocks; attempt a at a sample uses blocks
// a * blocks() .. , so that a rejected tuple is redrawn from fresh words. The counter is (draw, part 0,
// sample, block): a batch gives every slot its own sample number, hence no two draws ever share a word.

#include <polyad/base/rng.hpp>
#include <polyad/sample/batch.hpp>
#include <polyad/sample/box.hpp>

#include <cstdint>
#include <vector>

namespace polyad {

/// The largest range for which one 32-bit word is fair enough.
inline constexpr std::uint64_t one_word_extent = std::uint64_t{1} << 16;

/// Which batch is being drawn.
struct DrawKey {
  const RandomStream& stream;
  std::uint64_t draw;
};

/// Uniform on 0 .. n-1, the only number drawn at this sample.
inline std::uint64_t draw_number(const DrawKey& key, std::size_t sample, std::uint64_t n) {
  const RandomStream::Words word = key.stream.words(key.draw, 0, static_cast<std::uint32_t>(sample), 0);
  return n <= one_word_extent ? bounded32(word[0], static_cast<std::uint32_t>(n)) : bounded64(word[0], word[1], n);
}

/// Candidates for the slots first .. first+count-1: candidate c is attempt c / count at slot first + c %
/// count.
struct Slots {
  std::size_t first;
  std::size_t count;
};

class IndexDrawer {
 public:
  /// Draws cells of this box.
  explicit IndexDrawer(const Box& box);

  /// Philox blocks a tuple.
  std::uint32_t blocks() const { return blocks_; }
  /// One tuple.
  void draw(const DrawKey& key, std::size_t sample, std::uint32_t attempt, Index* index) const;
  /// Candidates begin .. begin+n-1 of `slots`, written to the batch's index arrays from position `at` on.
  void draw(const DrawKey& key, Slots slots, std::uint64_t begin, std::size_t n, Batch& batch, std::size_t at) const;

 private:
  struct Mode {
    Index low;
    std::uint64_t extent;
    std::uint32_t word;  ///< position of its first word within the tuple's blocks
  };
  std::vector<Mode> modes_;
  std::uint32_t blocks_;
};

}  // namespace polyad
