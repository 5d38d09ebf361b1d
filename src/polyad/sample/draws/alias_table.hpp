#pragma once
// Draws from a list of weights in constant time (Walker 1977): a bucket is drawn uniformly, and a coin decides between the
// bucket's own item and its alias. Tables are filled in one sweep over light and heavy items (Huebschle-Schneider and Sanders
// 2022), which reads and writes memory in order.
//
// A coin is uniform on 0 .. coins-1, so that a threshold of `coins` always gives the bucket's own item and 0 never.

#include <algorithm>
#include <array>
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

namespace detail {

/// The items of one kind, light or heavy, in order: found a block at a time, without a branch on what an item is.
template <class Weight, bool Heavy>
class ItemsOfKind {
 public:
  ItemsOfKind(std::size_t n, const Weight& weight) : n_(n), weight_(weight) { advance(); }
  /// n where there are no more.
  std::size_t item() const { return item_; }
  void advance() {
    while (at_ == found_) {
      if (scanned_ == n_) {
        item_ = n_;
        return;
      }
      at_ = found_ = 0;
      const std::size_t end = std::min(n_, scanned_ + block);
      for (; scanned_ < end; ++scanned_) {
        items_[found_] = scanned_;
        found_ += (weight_(scanned_) > 1.0) == Heavy ? 1 : 0;
      }
    }
    item_ = items_[at_++];
  }

 private:
  static constexpr std::size_t block = 64;
  std::size_t n_;
  const Weight& weight_;
  std::array<std::size_t, block> items_;
  std::size_t item_ = 0;
  std::size_t at_ = 0;
  std::size_t found_ = 0;
  std::size_t scanned_ = 0;
};

}  // namespace detail

/// A share of 0 to 1 as a threshold.
inline std::uint32_t threshold_of(double share) {
  return static_cast<std::uint32_t>(std::llround(share * coins));
}

/// Calls put(bucket, share, alias) once for each of n items, for weights of mean 1: weight(i) of item i, none negative.
template <class Weight, class Put>
void sweep_alias_table(std::size_t n, const Weight& weight, const Put& put) {
  detail::ItemsOfKind<Weight, false> light(n, weight);
  detail::ItemsOfKind<Weight, true> heavy(n, weight);
  double rest = heavy.item() < n ? weight(heavy.item()) : 0;  // of the heavy item, which fills up buckets of light ones
  while (heavy.item() < n) {
    if (rest > 1.0) {
      if (light.item() == n) break;
      const double own = weight(light.item());
      put(light.item(), own, heavy.item());
      rest -= 1.0 - own;
      light.advance();
    } else {
      const std::size_t bucket = heavy.item();
      heavy.advance();
      if (heavy.item() == n) {
        put(bucket, 1.0, bucket);
        break;
      }
      const double own = rest > 0 ? rest : 0.0;
      put(bucket, own, heavy.item());
      rest = weight(heavy.item()) - (1.0 - own);
    }
  }
  // What is left when light or heavy items run out differs from 1 by rounding alone.
  for (; light.item() < n; light.advance()) put(light.item(), 1.0, light.item());
  for (; heavy.item() < n; heavy.advance()) put(heavy.item(), 1.0, heavy.item());
}

/// Makes the table of any finite weights, none negative (all 0: all alike), and replaces them by the probabilities that the
/// table really has: thresholds are whole numbers, so that the least probable items may have none.
inline void make_alias_table(std::span<double> weights, std::span<AliasEntry> table) {
  const auto n = static_cast<double>(weights.size());
  // Scaled by the largest first: sums of huge weights must not overflow.
  const double largest = *std::max_element(weights.begin(), weights.end());
  double sum = 0;
  for (double& w : weights) {
    w = largest > 0 ? w / largest : 1.0;
    sum += w;
  }
  const double scale = n / sum;
  sweep_alias_table(
      table.size(), [&](std::size_t i) { return weights[i] * scale; },
      [&](std::size_t bucket, double share, std::size_t alias) {
        table[bucket] = {threshold_of(share), static_cast<std::uint32_t>(alias)};
      });
  std::fill(weights.begin(), weights.end(), 0.0);
  const double one = 1.0 / n / coins;
  for (std::size_t b = 0; b < table.size(); ++b) {
    weights[b] += one * table[b].threshold;
    weights[table[b].alias] += one * (coins - table[b].threshold);
  }
}

}  // namespace polyad
