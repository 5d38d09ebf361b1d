#pragma once
// Exact membership: is this cell listed, and where? A hash table from index tuples to record numbers, with a
// 32-bit fingerprint a slot so that an absent cell (the usual answer to a zero draw) is told from one cache
// line without touching the records. Works for any index space, however many bits a cell needs: the tuple
// itself is hashed, and the record is compared where fingerprints agree. O(1) a look-up, 8 bytes a slot, 1/3
// to 2/3 of the slots in use.

#include <polyad/base/aligned.hpp>
#include <polyad/tensor/records.hpp>

#include <algorithm>
#include <cstdint>

namespace polyad {

class CellSet {
 public:
  static constexpr std::uint32_t absent = 0xffffffffu;
  static constexpr std::uint64_t max_records = absent - 1;  ///< 2^32 - 2

  CellSet() = default;
  /// Sized for `capacity` records; a data error where they are more than max_records.
  CellSet(std::size_t modes, std::size_t capacity);

  /// The record that holds this cell, or `absent`. `records` are those the set was filled from.
  std::uint32_t find(const Records& records, const Index* index) const {
    if (slots_.empty()) return absent;
    const std::uint64_t h = hash(index);
    for (std::uint64_t at = h & mask_;; at = (at + 1) & mask_) {
      const std::uint64_t slot = slots_[at];
      if (slot == empty_slot) return absent;
      if (fingerprint(slot) == fingerprint(h) &&
          std::equal(index, index + modes_, records.index(record_of(slot)))) {
        return record_of(slot);
      }
    }
  }
  /// Asks for the cache line that `find` or `insert` will need. A large table lies in main memory: where
  /// several cells are to be looked up, prefetching some ahead hides most of the wait.
  void prefetch(const Index* index) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[hash(index) & mask_]);
  }
  /// Enters record `number`; returns the record already there for the same cell, or `absent` where it was
  /// new. No more records than the capacity may be entered.
  std::uint32_t insert(const Records& records, std::uint32_t number);
  bool empty() const { return slots_.empty(); }

 private:
  // A slot is fingerprint << 32 | record number. No record has the number `absent`, so this value is free.
  static constexpr std::uint64_t empty_slot = ~std::uint64_t{0};
  static std::uint32_t fingerprint(std::uint64_t slot_or_hash) {
    return static_cast<std::uint32_t>(slot_or_hash >> 32);
  }
  static std::uint32_t record_of(std::uint64_t slot) { return static_cast<std::uint32_t>(slot); }

  // Both halves of a 128-bit product, folded: every bit of `a` reaches every bit of the result.
  static std::uint64_t fold(std::uint64_t a, std::uint64_t constant) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * constant;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }
  // Two modes at a time. The constants are fractional digits of pi, made odd: arbitrary, without pattern.
  std::uint64_t hash(const Index* index) const {
    std::uint64_t h = 0x243f6a8885a308d3u;
    std::size_t k = 0;
    for (; k + 2 <= modes_; k += 2) {
      h = fold(h ^ (index[k] | static_cast<std::uint64_t>(index[k + 1]) << 32), 0x13198a2e03707345u);
    }
    if (k < modes_) h = fold(h ^ index[k], 0x13198a2e03707345u);
    return fold(h, 0xa4093822299f31d1u);
  }

  std::size_t modes_ = 0;
  std::uint64_t mask_ = 0;
  AlignedVector<std::uint64_t> slots_;
};

}  // namespace polyad
