#pragma once
// A bit for every cell of a space: exact membership where the space is small or not very sparse.

#include <polyad/detail/aligned.hpp>
#include <polyad/tensor/linear_key.hpp>

namespace polyad {

class CellBitmap {
 public:
  static std::uint64_t bytes_for(std::uint64_t cells) { return (cells / 64 + 1) * sizeof(std::uint64_t); }

  /// All cells absent. The space has fewer than 2^64 cells.
  explicit CellBitmap(const IndexSpace& space) : key_(space), words_(*space.exact_cells() / 64 + 1) {}

  /// Where a cell's bit is.
  using Place = std::uint64_t;
  const LinearKey& key() const { return key_; }
  Place place(std::uint64_t key) const { return key; }
  [[gnu::always_inline]] void prefetch(Place place) const { __builtin_prefetch(&words_[place / 64]); }
  bool contains(Place place) const { return (words_[place / 64] >> (place % 64) & 1) != 0; }
  /// False where the cell was there already.
  bool insert(Place place) {
    std::uint64_t& word = words_[place / 64];
    const std::uint64_t bit = std::uint64_t{1} << (place % 64);
    const bool fresh = (word & bit) == 0;
    word |= bit;
    return fresh;
  }
  std::size_t bytes() const { return words_.size() * sizeof(std::uint64_t); }

 private:
  LinearKey key_;
  AlignedVector<std::uint64_t> words_;
};

}  // namespace polyad
