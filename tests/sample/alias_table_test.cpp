// Alias tables hold the probabilities they were made for, and say which they really hold.

#include <polyad/sample/draws/alias_table.hpp>

#include <polyad/base/rng.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace polyad {
namespace {

struct Made {
  std::vector<double> probabilities;  // as the table says
  std::vector<AliasEntry> table;
};

Made made(std::vector<double> weights) {
  Made result{std::move(weights), {}};
  result.table.resize(result.probabilities.size());
  make_alias_table(result.probabilities, result.table);
  return result;
}

// The probabilities, from thresholds and aliases alone.
std::vector<double> plain_probabilities(const std::vector<AliasEntry>& table) {
  std::vector<double> p(table.size(), 0.0);
  for (std::size_t b = 0; b < table.size(); ++b) {
    const double own = static_cast<double>(table[b].threshold) / coins;
    p[b] += own / static_cast<double>(table.size());
    p[table[b].alias] += (1 - own) / static_cast<double>(table.size());
  }
  return p;
}

void expect_right(const std::vector<double>& weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  const Made m = made(weights);
  const std::vector<double> plain = plain_probabilities(m.table);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    EXPECT_NEAR(m.probabilities[i], weights[i] / sum, 1e-9) << i;
    EXPECT_NEAR(m.probabilities[i], plain[i], 1e-15) << i;
    if (weights[i] == 0) {
      EXPECT_LT(m.probabilities[i], 1e-9);
    }
  }
}

TEST(AliasTable, HoldsWhatItWasMadeFor) {
  expect_right({1});
  expect_right({1, 1, 1});
  expect_right({0, 1});
  expect_right({5, 0, 0, 0, 0});
  expect_right({0, 0, 0, 0, 5});
  expect_right({1e-300, 1, 1e-12, 3, 1e-3});
  Generator random(RandomStream(1, Purpose::problem));
  for (const std::size_t n : {2, 3, 10, 1000, 4097}) {
    std::vector<double> weights(n);
    for (double& w : weights) w = std::pow(random.unit(), 8);
    expect_right(weights);
  }
}

TEST(AliasTable, AllZeroMeansAllAlike) {
  const Made m = made({0, 0, 0, 0});
  for (const double p : m.probabilities) EXPECT_DOUBLE_EQ(p, 0.25);
}

TEST(AliasTable, HugeWeightsDoNotOverflow) {
  const Made m = made({1e308, 1e308, 1e308, 1e308});
  for (const double p : m.probabilities) EXPECT_DOUBLE_EQ(p, 0.25);
}

TEST(AliasTable, CoinsDecide) {
  const std::vector<AliasEntry> table = {{coins, 0}, {0, 0}, {10, 1}};
  EXPECT_EQ(item_of(table.data(), 0, coins - 1), 0u);
  EXPECT_EQ(item_of(table.data(), 1, 0), 0u);
  EXPECT_EQ(item_of(table.data(), 2, 9), 2u);
  EXPECT_EQ(item_of(table.data(), 2, 10), 1u);
}

}  // namespace
}  // namespace polyad
