#include <polyad/base/rng.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>
#include <vector>

namespace polyad {
namespace {

using Words = RandomStream::Words;

// Philox4x32-10 written from the paper (Salmon et al. 2011, Sec. 4.3), as an oracle that shares nothing with the product.
Words philox_of_the_paper(Words c, std::array<std::uint32_t, 2> k) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t first = std::uint64_t{0xD2511F53} * c[0];
    const std::uint64_t second = std::uint64_t{0xCD9E8D57} * c[2];
    c = {static_cast<std::uint32_t>(second >> 32) ^ c[1] ^ k[0], static_cast<std::uint32_t>(second),
         static_cast<std::uint32_t>(first >> 32) ^ c[3] ^ k[1], static_cast<std::uint32_t>(first)};
    k = {k[0] + 0x9E3779B9, k[1] + 0xBB67AE85};
  }
  return c;
}

// The published known answers of Random123 (kat_vectors, philox4x32 10).
TEST(Philox, OracleGivesTheKnownAnswers) {
  EXPECT_EQ(philox_of_the_paper({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  const std::uint32_t ones = 0xffffffffu;
  EXPECT_EQ(philox_of_the_paper({ones, ones, ones, ones}, {ones, ones}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox_of_the_paper({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

// The layout of key and counter is part of the contract: changing it changes every result.
TEST(RandomStream, IsPhiloxOfItsKeyAndCounter) {
  const std::uint64_t seed = 0x0123456789abcdefu;
  const std::uint64_t start = 0x0000000500000007u;
  const RandomStream stream(seed, Purpose::gradient, start);
  const Words mixed = philox_of_the_paper({2, 7, 5, 0x706f6c79}, {0x89abcdef, 0x01234567});
  const std::array<std::uint32_t, 2> key{mixed[0], mixed[1]};
  const std::uint64_t draw = 0x0000badc0ffee123u;  // 48 bits
  EXPECT_EQ(stream.words(draw, 0xfedc, 42, 3), philox_of_the_paper({42, 3, 0x0ffee123, 0xbadcfedc}, key));
  EXPECT_EQ(stream.words(0, 0, 0, 0), philox_of_the_paper({0, 0, 0, 0}, key));
}

TEST(RandomStream, SeparatesSeedsPurposesAndStarts) {
  std::set<Words> seen;
  std::size_t streams = 0;
  for (const std::uint64_t seed : {0ull, 1ull, 2ull, 1ull << 32, ~0ull}) {
    for (const Purpose purpose :
         {Purpose::guess, Purpose::gradient, Purpose::estimate, Purpose::problem, Purpose::held_out}) {
      for (const std::uint64_t start : {0ull, 1ull, 2ull, 1ull << 32}) {
        seen.insert(RandomStream(seed, purpose, start).words(0, 0, 0, 0));
        ++streams;
      }
    }
  }
  EXPECT_EQ(seen.size(), streams);
}

TEST(RandomStream, SeparatesEveryPartOfTheCounter) {
  const RandomStream stream(1, Purpose::gradient);
  std::set<Words> seen;
  std::size_t asked = 0;
  for (const std::uint64_t draw : {0ull, 1ull, 0xffffffffull, 1ull << 32, (1ull << 48) - 1}) {
    for (const std::uint32_t part : {0u, 1u, 0xffffu}) {
      for (const std::uint32_t sample : {0u, 1u, 0xffffffffu}) {
        for (const std::uint32_t block : {0u, 1u, 7u}) {
          seen.insert(stream.words(draw, part, sample, block));
          ++asked;
        }
      }
    }
  }
  EXPECT_EQ(seen.size(), asked);
}

// Standardised chi-square: about N(0, 1) for many bins. Seeds are fixed, so that a test passes always or never.
double chi_square_z(const std::vector<std::uint64_t>& counts) {
  std::uint64_t total = 0;
  for (const auto c : counts) total += c;
  const double expected = static_cast<double>(total) / static_cast<double>(counts.size());
  double chi = 0;
  for (const auto c : counts)
    chi += (static_cast<double>(c) - expected) * (static_cast<double>(c) - expected) / expected;
  const double freedom = static_cast<double>(counts.size()) - 1;
  return (chi - freedom) / std::sqrt(2 * freedom);
}

TEST(BoundedDraws, ReachBothEnds) {
  for (const std::uint32_t n : {1u, 2u, 3u, 1000u, 65535u, 65536u}) {
    EXPECT_EQ(bounded32(0, n), 0u);
    EXPECT_EQ(bounded32(0xffffffffu, n), n - 1);
  }
  for (const std::uint64_t n : {1ull, 2ull, 65537ull, 4294967295ull, 1ull << 40, ~0ull}) {
    EXPECT_EQ(bounded64(0, 0, n), 0u);
    EXPECT_EQ(bounded64(0xffffffffu, 0xffffffffu, n), n - 1);
  }
  // The high word is the one that matters most.
  EXPECT_EQ(bounded64(0, 0x80000000u, 1000), 500u);
}

TEST(BoundedDraws, AreUniformForSmallRanges) {
  const RandomStream stream(7, Purpose::gradient);
  for (const std::uint32_t n : {2u, 6u, 77u, 1000u}) {
    std::vector<std::uint64_t> counts(n);
    for (std::uint32_t sample = 0; sample < 50000; ++sample) {
      for (const std::uint32_t word : stream.words(n, 0, sample, 0)) ++counts[bounded32(word, n)];
    }
    EXPECT_LT(std::abs(chi_square_z(counts)), 4) << n;
  }
}

// With n = 3 * 2^30, multiply-high of 32 bits gives twice as many multiples of 3: why large ranges take 64 bits.
TEST(BoundedDraws, AreUniformForLargeRanges) {
  const std::uint64_t n = 3ull << 30;
  const RandomStream stream(8, Purpose::gradient);
  std::vector<std::uint64_t> residues(3);
  std::vector<std::uint64_t> biased(3);
  std::vector<std::uint64_t> bins(64);
  for (std::uint32_t sample = 0; sample < 100000; ++sample) {
    const Words w = stream.words(0, 0, sample, 0);
    const std::uint64_t v = bounded64(w[0], w[1], n);
    ASSERT_LT(v, n);
    ++residues[v % 3];
    ++bins[v / (n / 64)];
    ++biased[bounded32(w[1], static_cast<std::uint32_t>(n)) % 3];
  }
  EXPECT_LT(std::abs(chi_square_z(residues)), 4);
  EXPECT_LT(std::abs(chi_square_z(bins)), 4);
  EXPECT_GT(chi_square_z(biased), 1000);
}

TEST(OpenUnit, NeverReachesItsEnds) {
  EXPECT_GT(open_unit(0, 0), 0.0);
  EXPECT_LT(open_unit(0xffffffffu, 0xffffffffu), 1.0);
  EXPECT_TRUE(std::isfinite(std::log(open_unit(0, 0))));
  EXPECT_LT(std::log(open_unit(0xffffffffu, 0xffffffffu)), 0.0);
  // Symmetric about 1/2, so that the mean is exactly 1/2.
  EXPECT_EQ(open_unit(0, 0), 1 - open_unit(0xffffffffu, 0xffffffffu));
}

TEST(Generator, HasTheMomentsOfUniformAndNormal) {
  Generator generator(RandomStream(9, Purpose::problem));
  constexpr int count = 200000;
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < count; ++i) {
    const double u = generator.unit() - 0.5;
    sum += u;
    squares += u * u;
  }
  const double n = count;
  EXPECT_LT(std::abs(sum / n) * std::sqrt(12 * n), 4);                  // variance of u: 1/12
  EXPECT_LT(std::abs(squares / n - 1 / 12.0) * std::sqrt(180 * n), 4);  // variance of u^2: 1/80 - 1/144
  std::normal_distribution<double> normal;
  sum = squares = 0;
  for (int i = 0; i < count; ++i) {
    const double z = normal(generator);
    sum += z;
    squares += z * z;
  }
  EXPECT_LT(std::abs(sum / n) * std::sqrt(n), 4);
  EXPECT_LT(std::abs(squares / n - 1) * std::sqrt(n / 2), 4);
}

TEST(Generator, WalksTheStreamWordByWord) {
  const RandomStream stream(10, Purpose::problem);
  Generator generator(stream);
  for (std::uint32_t block = 0; block < 5; ++block) {
    const Words w = stream.words(0, 0, block, 0);
    EXPECT_EQ(generator(), (std::uint64_t{w[1]} << 32) | w[0]);
    EXPECT_EQ(generator(), (std::uint64_t{w[3]} << 32) | w[2]);
  }
}

}  // namespace
}  // namespace polyad
