#include <polyad/sample/draws/alias_table.hpp>

#include <algorithm>
#include <numeric>

namespace polyad {

void make_alias_table(std::span<double> weights, std::span<AliasEntry> table) {
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
