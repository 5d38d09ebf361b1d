#pragma once
// Is this cell listed? Exact, from one cache line, without record numbers: the question of every zero draw (Alg. 2). The
// smallest of these serves, whichever comes first among equals (and at once where it is below 16 kB):
//
//   bitmap        a bit per cell of the space                               cells / 8 bytes
//   quotient16    a quotient table (quotient_table.hpp) of 16-bit remainders  3 bytes per listed cell
//   quotient32    the same with 32 bits                                     6.4 bytes per listed cell
//   tuples        nothing here: the remainders do not fit, and a CellSet (16 bytes per listed cell) compares whole cells
//
// 16-bit remainders fit where the space has at most about 2^15 n / 21 cells for n listed ones (n = 5 million: 2^32), 32-bit
// ones up to 2^31 n / 10 (n = 100 million: 2^54). Wider ones would take as much room as a CellSet and be no faster.

#include <polyad/cells.hpp>
#include <polyad/detail/aligned.hpp>
#include <polyad/tensor/linear_key.hpp>
#include <polyad/tensor/quotient_table.hpp>

#include <utility>
#include <variant>

namespace polyad {

/// A bit for every cell of a space: exact membership where the space is small or not very sparse.
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

enum class ListedKind { bitmap, quotient16, quotient32, tuples };

class ListedSet {
 public:
  /// Of kind `tuples`.
  ListedSet() = default;
  /// Empty, with room for `capacity` cells.
  ListedSet(const IndexSpace& space, std::size_t capacity);
  /// A kind by choice, for tests and benchmarks; `tuples` results where it cannot hold these cells.
  ListedSet(const IndexSpace& space, std::size_t capacity, ListedKind kind);

  ListedKind kind() const { return static_cast<ListedKind>(table_.index()); }
  /// Enters all cells, until one is there already: then false, and the set is of no further use.
  bool insert(const Records& records);

  /// Not for kind `tuples`.
  bool contains(const Index* index) const {
    return with_table([&](const auto& table) { return table.contains(table.place(table.key()(index))); });
  }
  /// Asks for the cache line that `contains` will need.
  [[gnu::always_inline]] void prefetch(const Index* index) const {
    with_table([&](const auto& table) __attribute__((always_inline)) {
      table.prefetch(table.place(table.key()(index)));
      return true;
    });
  }
  /// out[t] = 1 where the cell (index[0][first + t], index[1][first + t], ...) is there, otherwise 0. Look-ups overlap, so
  /// that those in main memory cost a fraction of its latency. Not for kind `tuples`.
  void flags(const Index* const* index, std::size_t first, std::size_t n, std::uint8_t* out) const;
  std::size_t bytes() const {
    return with_table([](const auto& table) { return table.bytes(); });
  }
  /// Cells that a quotient table holds outside their bucket.
  std::size_t spilled() const;

 private:
  // What `body` says of the table in use; false, 0 where there is none.
  template <class Body>
  [[gnu::always_inline]] auto with_table(Body body) const -> decltype(body(std::declval<const CellBitmap&>())) {
    switch (kind()) {
      case ListedKind::bitmap:
        return body(*std::get_if<0>(&table_));
      case ListedKind::quotient16:
        return body(*std::get_if<1>(&table_));
      case ListedKind::quotient32:
        return body(*std::get_if<2>(&table_));
      case ListedKind::tuples:
        break;
    }
    return {};
  }

  std::variant<CellBitmap, QuotientTable<std::uint16_t>, QuotientTable<std::uint32_t>, std::monostate> table_ =
      std::monostate{};
};

}  // namespace polyad
