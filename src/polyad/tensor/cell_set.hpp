#pragma once
// Exact membership: is this cell listed, and where? A hash table from index tuples to record numbers. A cell's hash chooses a
// cache line of 8 slots, each a 32-bit fingerprint and a 32-bit record number. A line's fingerprints are compared at once, so that
// one cache line is enough to see that a cell is absent (the usual answer to a zero draw), without a branch that depends on the data
// and without touching the records. Where fingerprints agree, the record decides: exact for any index space, however many bits a
// cell needs. O(1) per look-up, 16 bytes per record.

#include <polyad/cells.hpp>
#include <polyad/detail/aligned.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

namespace polyad {

class CellSet {
 public:
  static constexpr std::uint32_t absent = 0xffffffffu;
  static constexpr std::uint64_t max_records = absent - 1;  ///< 2^32 - 2

  /// A data error where there are more than max_records.
  static void check_count(std::size_t records);

  CellSet() = default;
  /// Sized for `capacity` records; a data error where they are more than max_records.
  CellSet(std::size_t modes, std::size_t capacity);

  /// The record that holds this cell, or `absent`. `records` are those the set was filled from.
  std::uint32_t find(const Records& records, const Index* index) const {
    if (lines_.empty()) return absent;
    const std::uint64_t h = hash(index);
    for (std::size_t at = home(h);; at = next(at)) {
      const Line& line = lines_[at];
      if (line.may_hold(fingerprint(h))) [[unlikely]] {
        const std::uint32_t record = search(line, records, index, fingerprint(h));
        if (record != absent) return record;
      }
      if (!line.full()) return absent;
    }
  }
  /// Asks for the cache line that `find` or `insert` will need. A large table lies in main memory: where
  /// several cells are to be looked up, prefetching some ahead hides most of the wait. (Inlined by force: GCC
  /// takes a function that only prefetches to be without effect, and drops the calls.)
  [[gnu::always_inline]] void prefetch(const Index* index) const {
    if (!lines_.empty()) __builtin_prefetch(&lines_[home(hash(index))]);
  }
  /// Enters record `number`; returns the record already there for the same cell, or `absent` where it was
  /// new. No more records than the capacity may be entered.
  std::uint32_t insert(const Records& records, std::uint32_t number);
  bool empty() const { return lines_.empty(); }
  /// The most cache lines that a look-up can touch: shows how evenly cells are spread. O(table).
  std::size_t longest_search() const;

 private:
  static constexpr std::size_t slots = 8;
  struct alignas(cache_line) Line {
    std::array<std::uint32_t, slots> fingerprints;
    std::array<std::uint32_t, slots> records;  // `absent` where free; filled from the front

    bool full() const { return records[slots - 1] != absent; }
    // May be wrong by a free slot's fingerprint; never misses one.
    bool may_hold(std::uint32_t fingerprint) const {
      std::uint32_t any = 0;
      for (std::size_t i = 0; i < slots; ++i) any |= fingerprints[i] == fingerprint ? 1u : 0u;
      return any != 0;
    }
  };
  static_assert(sizeof(Line) == cache_line);

  std::uint32_t search(const Line& line, const Records& records, const Index* index, std::uint32_t fingerprint) const;

  // The high bits of the hash choose the line (by multiply-high, so that the table need not be a power of two
  // long), the low bits are the fingerprint.
  std::size_t home(std::uint64_t h) const {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::size_t>((static_cast<Wide>(h) * lines_.size()) >> 64);
  }
  std::size_t next(std::size_t at) const { return at + 1 == lines_.size() ? 0 : at + 1; }
  static std::uint32_t fingerprint(std::uint64_t h) { return static_cast<std::uint32_t>(h); }

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
  AlignedVector<Line> lines_;
};

/// Calls visit(i) for each record in order, its slot of `set` on its way into the cache.
template <class Set, class Visit>
void for_each_prefetched(const Records& records, const Set& set, Visit visit) {
  // About a main memory latency's worth of insertions.
  constexpr std::size_t look_ahead = 16;
  const std::size_t count = records.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (i + look_ahead < count) set.prefetch(records.index(i + look_ahead));
    visit(i);
  }
}

/// A set of records that are known to be distinct cells.
CellSet cell_set_of(const Records& records);

/// A CellSet that is filled when it is first asked for, by whichever thread asks first. Most fits never ask: a smaller ListedSet
/// says whether a cell is listed.
class LazyCellSet {
 public:
  LazyCellSet() = default;
  ~LazyCellSet() = default;
  /// A copy is filled again when asked.
  LazyCellSet(const LazyCellSet&) {}
  LazyCellSet(LazyCellSet&& other) noexcept { *this = std::move(other); }
  LazyCellSet& operator=(const LazyCellSet& other);
  LazyCellSet& operator=(LazyCellSet&& other) noexcept;

  /// The set of these records, which are distinct cells and the same as in all calls since the last `forget`.
  const CellSet& of(const Records& records) const {
    const CellSet* const ready = ready_.load(std::memory_order_acquire);
    return ready != nullptr ? *ready : fill(records);
  }
  /// After the records have changed. Not while another thread uses the set.
  void forget();
  /// Takes over a set that is filled already.
  void put(CellSet set);

 private:
  const CellSet& fill(const Records& records) const;

  mutable std::mutex filling_;
  mutable std::unique_ptr<const CellSet> set_;
  mutable std::atomic<const CellSet*> ready_ = nullptr;
};

}  // namespace polyad
