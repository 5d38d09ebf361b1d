#pragma once
// Exact membership: is this cell listed, and where? A hash table from index tuples to record numbers, with a 32-bit
// fingerprint a slot so that an absent cell (the usual answer to a zero draw) is told from one slot without touching
// the records. Works for any index space, however many bits a cell needs. O(1) a look-up, 8 bytes a slot.

#include <polyad/base/aligned.hpp>
#include <polyad/tensor/records.hpp>

#include <cstdint>
#include <optional>

namespace polyad {

class CellSet {
 public:
  static constexpr std::uint32_t absent = 0xffffffffu;

  CellSet() = default;
  /// Sized for `capacity` records (at most 2^32 - 2).
  CellSet(std::size_t modes, std::size_t capacity);

  /// The record that holds this cell, or `absent`. `records` are those the set was filled from.
  std::uint32_t find(const Records& records, const Index* index) const;
  /// Enters record `number`; returns the record already there for the same cell, or `absent` where it was new.
  std::uint32_t insert(const Records& records, std::uint32_t number);
  bool empty() const { return slots_.empty(); }

 private:
  std::size_t modes_ = 0;
  std::uint64_t mask_ = 0;
  AlignedVector<std::uint64_t> slots_;
};

}  // namespace polyad
