#include <polyad/model.hpp>
#include <polyad/model/guess.hpp>

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace polyad {
namespace {

std::vector<double> entries_of(const Factors& f) {
  std::vector<double> entries;
  for (std::size_t k = 0; k < f.modes(); ++k) {
    for (std::size_t i = 0; i < f.rows(k); ++i) {
      for (std::size_t j = 0; j < f.rank(); ++j) entries.push_back(f.at(k, i, j));
    }
  }
  return entries;
}

/// Largest distance between the empirical distribution and `cdf`, times sqrt(n): above 1.95 with chance
/// 0.001.
double kolmogorov_smirnov(std::vector<double> sample, double (*cdf)(double)) {
  std::sort(sample.begin(), sample.end());
  const double n = static_cast<double>(sample.size());
  double distance = 0;
  for (std::size_t t = 0; t < sample.size(); ++t) {
    const double at = cdf(sample[t]);
    distance = std::max({distance, at - static_cast<double>(t) / n, static_cast<double>(t + 1) / n - at});
  }
  return distance * std::sqrt(n);
}

TEST(Guess, UniformEntriesAreUniform) {
  const Factors f = random_guess(IndexSpace({2000, 500, 300}), 5, GuessKind::uniform, 0, 7, 0);
  EXPECT_LT(kolmogorov_smirnov(entries_of(f), [](double v) { return std::clamp(v, 0.0, 1.0); }), 1.95);
}

TEST(Guess, NormalEntriesAreNormalAndNeighboursUncorrelated) {
  const Factors f = random_guess(IndexSpace({2000, 500, 300}), 6, GuessKind::normal, 0, 7, 0);
  const auto entries = entries_of(f);
  EXPECT_LT(kolmogorov_smirnov(entries, [](double v) { return 0.5 * std::erfc(-v / std::sqrt(2.0)); }), 1.95);
  double product = 0;
  for (std::size_t t = 0; t + 1 < entries.size(); ++t) product += entries[t] * entries[t + 1];
  EXPECT_LT(std::abs(product) / std::sqrt(static_cast<double>(entries.size())), 4);
}

TEST(Guess, NoTwoEntriesAreTheSameDraw) {
  const auto entries = entries_of(random_guess(IndexSpace({300, 200, 100}), 5, GuessKind::uniform, 0, 1, 2));
  EXPECT_EQ(std::set<double>(entries.begin(), entries.end()).size(), entries.size());
}

TEST(Guess, DependsOnSeedAndStartOnly) {
  const IndexSpace space({6, 5, 4});
  const auto guess = [&](std::uint64_t seed, std::uint64_t start) {
    return random_guess(space, 3, GuessKind::uniform, 2.0, seed, start);
  };
  EXPECT_EQ(guess(1, 0), guess(1, 0));
  EXPECT_NE(guess(1, 0), guess(2, 0));
  EXPECT_NE(guess(1, 0), guess(1, 1));
}

TEST(Guess, AnEntryIsAFunctionOfItsPlaceNotOfTheShape) {
  for (const auto kind : {GuessKind::uniform, GuessKind::normal}) {
    const Factors small = random_guess(IndexSpace({6, 5, 4}), 3, kind, 0, 5, 1);
    const Factors large = random_guess(IndexSpace({9, 5, 7, 2}), 8, kind, 0, 5, 1);
    for (std::size_t k = 0; k < small.modes(); ++k) {
      for (std::size_t i = 0; i < small.rows(k); ++i) {
        for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(small.at(k, i, j), large.at(k, i, j));
      }
    }
  }
}

// Which words make which entry is part of what a seed means: changing it changes everybody's results.
TEST(Guess, EntriesComeFromTheirOwnWords) {
  const Factors uniform = random_guess(IndexSpace({6, 5, 4}), 5, GuessKind::uniform, 0, 5, 1);
  const Factors normal = random_guess(IndexSpace({6, 5, 4}), 5, GuessKind::normal, 0, 5, 1);
  const auto words = RandomStream(5, Purpose::guess, 1).words(3, 2, 1, 0);  // row 3, mode 2, columns 2 and 3
  const double u = open_unit(words[0], words[1]);
  const double v = open_unit(words[2], words[3]);
  EXPECT_EQ(uniform.at(2, 3, 2), u);
  EXPECT_EQ(uniform.at(2, 3, 3), v);
  const double z = normal.at(2, 3, 2);
  const double w = normal.at(2, 3, 3);
  EXPECT_NEAR(z * z + w * w, -2 * std::log(u), 1e-13);
  EXPECT_NEAR(std::remainder(std::atan2(w, z) / (2 * std::acos(-1.0)) - v, 1.0), 0, 1e-13);
}

TEST(Guess, PaddingStaysZero) {
  for (const auto kind : {GuessKind::uniform, GuessKind::normal}) {
    Factors f = random_guess(IndexSpace({6, 5}), 5, kind, 3.0, 5, 1);
    Factors cleared = f;
    cleared.clear_padding();
    EXPECT_EQ(f, cleared);
  }
}

TEST(Guess, ScalesToTheNormEvenlyOverTheModes) {
  const IndexSpace space({30, 20, 10});
  for (const auto kind : {GuessKind::uniform, GuessKind::normal}) {
    const Factors plain = random_guess(space, 4, kind, 0, 3, 0);
    for (const double target : {1e-12, 1.0, 123.5, 1e30}) {
      const Factors scaled = random_guess(space, 4, kind, target, 3, 0);
      EXPECT_NEAR(norm(KTensor(scaled)), target, 1e-13 * target);
      const double ratio = scaled.at(0, 0, 0) / plain.at(0, 0, 0);
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_NEAR(scaled.at(k, 7, 2) / plain.at(k, 7, 2), ratio, 1e-14 * ratio);
      }
    }
  }
}

}  // namespace
}  // namespace polyad
