#pragma once
// Draws from a list of weights in constant time (Walker 1977): a bucket is drawn uniformly, and a coin decides between the
// bucket's own item and its alias. Tables are filled in one sweep over light and heavy items (Huebschle-Schneider and Sanders
// 2022), which reads and writes memory in order: 5 million items in some ten milliseconds.
//
// A coin is uniform on 0 .. coins-1, so that a threshold of `coins` always gives the bucket's own item and 0 never.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace polyad {

inline constexpr std::uint32_t coins = std::numeric_limits<std::uint32_t>::max();

struct AliasEntry {
  std::uint32_t threshold;
  std::uint32_t alias;
};

/// The item that a bucket and a coin give.
template <class Entry>
std::uint32_t item_of(const Entry* table, std::uint32_t bucket, std::uint32_t coin) {
  return coin < table[bucket].threshold ? bucket : table[bucket].alias;
}

/// Fills `table` (threshold and alias of every entry) for weights of mean 1: weight(i) of item i, none negative.
template <class Weight, class Entry>
void fill_alias_table(std::span<Entry> table, const Weight& weight) {
  const std::size_t n = table.size();
  const auto next = [&](std::size_t i, bool heavy) {
    while (i < n && (weight(i) > 1.0) != heavy) ++i;
    return i;
  };
  for (std::size_t i = 0; i < n; ++i) {
    table[i].threshold = coins;
    table[i].alias = static_cast<std::uint32_t>(i);
  }
  std::size_t light = next(0, false);
  std::size_t heavy = next(0, true);
  double rest = heavy < n ? weight(heavy) : 0;  // of the heavy item, which fills up the buckets of light ones
  const auto put = [&](std::size_t bucket, double own, std::size_t alias) {
    table[bucket].threshold = static_cast<std::uint32_t>(std::llround(own * coins));
    table[bucket].alias = static_cast<std::uint32_t>(alias);
  };
  // What is left when light or heavy items run out differs from 1 by rounding alone: such buckets keep their own item.
  while (heavy < n) {
    if (rest > 1.0) {
      if (light == n) return;
      const double own = weight(light);
      put(light, own, heavy);
      rest -= 1.0 - own;
      light = next(light + 1, false);
    } else {
      const std::size_t other = next(heavy + 1, true);
      if (other == n) return;
      put(heavy, rest > 0 ? rest : 0.0, other);
      rest = weight(other) - (1.0 - rest);
      heavy = other;
    }
  }
}

/// Makes the table of any finite weights, none negative (all 0: all alike), and replaces them by the probabilities that the
/// table really has: thresholds are whole numbers, so that the least probable items may have none.
void make_alias_table(std::span<double> weights, std::span<AliasEntry> table);

}  // namespace polyad
