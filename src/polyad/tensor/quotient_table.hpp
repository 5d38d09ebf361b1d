#pragma once
// Exact membership in a quotient table (Knuth 6.4, exercise 13; Cleary 1984): a cell's number is mixed by a bijection of
// b-bit numbers, the leading part of the result chooses a bucket of one cache line, and only the remainder, which together
// with the bucket's number gives the cell back, is stored there. A test reads one cache line and compares it whole; nothing
// is approximate and no record is looked at.
//
// With s = 64 - b and N buckets, for a cell's number c < 2^b:
//
//   x      = c m1 2^s                 m1 odd: a bijection of the multiples of 2^s (modulo 2^64), folded into the strides
//   x     ^= (x >> b/2) without the last s bits
//   x     *= m2                       m2 odd
//   bucket = floor(x N / 2^64)
//   rest   = floor((x N mod 2^64) / 2^(s + l)),  l = floor(log2 N)
//
// Two x in the same bucket differ by a multiple of 2^s, so their x N mod 2^64 differ by at least N 2^s >= 2^(s+l): their
// remainders differ. They take b - l bits, and one more is left so that a free slot's mark equals no remainder. N need not
// be a power of two, so that the table is as full as wanted: 2/3 with 32 slots of 16 bits (3 bytes per cell), 5/8 with 16 slots
// of 32 bits (6.4 bytes per cell), more where N must be larger for remainders to fit. Of random cells 2 % (5 %) then meet a
// full bucket; what did not fit there is in a small set of its own.

#include <polyad/detail/aligned.hpp>
#include <polyad/tensor/linear_key.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

namespace polyad {

/// A set of 64-bit words other than ~0, for the few cells that find their bucket full: open addressing, at most half full, grows
/// as needed.
class SpillSet {
 public:
  bool contains(std::uint64_t word) const {
    if (words_.empty()) return false;
    for (std::size_t at = home(word);; at = (at + 1) & (words_.size() - 1)) {
      if (words_[at] == word) return true;
      if (words_[at] == none) return false;
    }
  }
  /// False where it was there already.
  bool insert(std::uint64_t word);
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return words_.size() * sizeof(std::uint64_t); }

 private:
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  // Fibonacci hashing: the top bits of a product with 2^64 over the golden ratio.
  std::size_t home(std::uint64_t word) const {
    return static_cast<std::size_t>((word * 0x9e3779b97f4a7c15u) >> shift_);
  }
  void grow();

  std::vector<std::uint64_t> words_;
  std::size_t size_ = 0;
  unsigned shift_ = 64;
};

/// Remainder is std::uint16_t or std::uint32_t.
template <class Remainder>
class QuotientTable {
 public:
  /// Buckets for `capacity` cells out of a space whose numbers take `bits` bits; none where remainders cannot fit with any
  /// number of buckets that 32 bits count.
  static std::optional<std::uint64_t> buckets_for(unsigned bits, std::size_t capacity);

  /// Empty. `buckets_for` gave an answer for this space and capacity.
  QuotientTable(const IndexSpace& space, std::size_t capacity);

  /// Where a cell is, if anywhere: the bucket, and in the low 32 bits the remainder. (One word: two halves written separately
  /// and read together would wait for each other.)
  using Place = std::uint64_t;
  const LinearKey& key() const { return key_; }
  Place place(std::uint64_t key) const {
    const std::uint64_t x = (key ^ (key >> half_ & mask_)) * 0x9e3779b97f4a7c15u;
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(x) * buckets_.size();
    const auto bucket = static_cast<std::uint64_t>(product >> 64);
    return bucket << 32 | static_cast<std::uint64_t>(product) >> rest_shift_;
  }
  [[gnu::always_inline]] void prefetch(Place place) const { __builtin_prefetch(&buckets_[place >> 32]); }
  bool contains(Place place) const {
    const Bucket& bucket = buckets_[place >> 32];
    if (bucket.holds(static_cast<Remainder>(place))) return true;
    return bucket.full() && spill_.contains(place);
  }
  /// False where the cell was there already.
  bool insert(Place place);

  std::size_t bytes() const { return buckets_.size() * sizeof(Bucket) + spill_.bytes(); }
  std::size_t spilled() const { return spill_.size(); }  ///< cells outside their bucket: tells how evenly cells spread

 private:
  static constexpr Remainder empty = std::numeric_limits<Remainder>::max();
  static constexpr std::size_t slots = cache_line / sizeof(Remainder);
  static constexpr unsigned most_bits = 8 * sizeof(Remainder) - 1;

  struct alignas(cache_line) Bucket {
    std::array<Remainder, slots> rest;  // `empty` where free; filled from the front

    bool full() const { return rest[slots - 1] != empty; }
    // In vectors of 16 bytes, which all machines have; written out because the compiler does not always see it.
    bool holds(Remainder remainder) const {
      using Lanes [[gnu::vector_size(16)]] = Remainder;
      using Words [[gnu::vector_size(16)]] = std::uint64_t;
      constexpr std::size_t lanes = 16 / sizeof(Remainder);
      const Lanes wanted = Lanes{} + remainder;
      Words any{};
      for (std::size_t i = 0; i < slots; i += lanes) {
        Lanes some;
        std::memcpy(&some, &rest[i], sizeof some);
        any |= reinterpret_cast<Words>(some == wanted);
      }
      return (any[0] | any[1]) != 0;
    }
  };
  static_assert(sizeof(Bucket) == cache_line);

  QuotientTable(const IndexSpace& space, unsigned bits, std::uint64_t buckets);

  LinearKey key_;
  unsigned half_;
  unsigned rest_shift_;
  std::uint64_t mask_;
  AlignedVector<Bucket> buckets_;
  SpillSet spill_;
};

}  // namespace polyad
