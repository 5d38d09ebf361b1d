#include <polyad/base/simd_target.hpp>
#include <polyad/sample/draws/index_drawer.hpp>

#include "each_simd_target.hpp"

#include <gtest/gtest.h>
#include <boost/math/distributions/chi_squared.hpp>

#include <cmath>
#include <set>

namespace polyad::test {
namespace {

const RandomStream stream(3, Purpose::gradient);

/// The chance of a chi-square at least this large, for counts that should be equal.
double p_value(const std::vector<double>& counts) {
  double total = 0;
  for (const double c : counts) total += c;
  const double expected = total / static_cast<double>(counts.size());
  double chi_square = 0;
  for (const double c : counts) chi_square += (c - expected) * (c - expected) / expected;
  const boost::math::chi_squared law(static_cast<double>(counts.size() - 1));
  return boost::math::cdf(boost::math::complement(law, chi_square));
}

TEST(IndexDrawer, FollowsTheWordLayout) {
  // One word, two words (across no block border), one word: one block in all.
  const IndexDrawer drawer(Box{{0, 0, 0}, {24, 100'000, 65'536}});
  EXPECT_EQ(drawer.blocks(), 1u);
  Index index[3];
  drawer.draw({stream, 9}, 4, 2, index);
  const auto words = stream.words(9, 0, 4, 2);
  EXPECT_EQ(index[0], bounded32(words[0], 24));
  EXPECT_EQ(index[1], bounded64(words[1], words[2], 100'000));
  EXPECT_EQ(index[2], bounded32(words[3], 65'536));
}

TEST(IndexDrawer, TakesSeveralBlocksWhereATupleNeedsThem) {
  const IndexDrawer drawer(Box{{0, 0, 5}, {70'000, 7, 80'000}});
  EXPECT_EQ(drawer.blocks(), 2u);
  Index index[3];
  drawer.draw({stream, 1}, 0, 3, index);
  const auto first = stream.words(1, 0, 0, 6);
  const auto second = stream.words(1, 0, 0, 7);
  EXPECT_EQ(index[0], bounded64(first[0], first[1], 70'000));
  EXPECT_EQ(index[1], bounded32(first[2], 7));
  EXPECT_EQ(index[2], 5 + bounded64(first[3], second[0], 80'000));
}

TEST(IndexDrawer, CandidatesRunOverSlotsThenAttempts) {
  const IndexDrawer drawer(Box{{0, 0}, {1000, 1000}});
  Batch batch;
  batch.resize(2, 10, false);
  drawer.draw({stream, 0}, {5, 3}, 2, 6, batch, 1);
  for (std::size_t c = 0; c < 6; ++c) {
    Index index[2];
    drawer.draw({stream, 0}, 5 + (c + 2) % 3, static_cast<std::uint32_t>((c + 2) / 3), index);
    EXPECT_EQ(batch.index[0][1 + c], index[0]);
    EXPECT_EQ(batch.index[1][1 + c], index[1]);
  }
}

TEST(IndexDrawer, IsUniformForSmallAndLargeExtents) {
  for (const std::uint64_t extent : {2ull, 3ull, 77ull, 65'536ull, 65'537ull, 3'000'000ull, 0xffffffffull}) {
    const IndexDrawer drawer(Box{{0}, {extent}});
    constexpr std::size_t bins_wanted = 64;
    const std::uint64_t bins = std::min<std::uint64_t>(extent, bins_wanted);
    // Equal bins but for a rest of extent % bins indices, which are left out.
    const std::uint64_t width = extent / bins;
    std::vector<double> counts(bins);
    std::vector<double> low_bits(4);
    for (std::size_t t = 0; t < 100'000; ++t) {
      Index index;
      drawer.draw({stream, 7}, t, 0, &index);
      ASSERT_LT(index, extent);
      if (index / width < bins) counts[index / width] += 1;
      if (extent > 1'000'000) low_bits[index % 4] += 1;
    }
    EXPECT_GT(p_value(counts), 1e-6) << extent;
    if (extent > 1'000'000) {
      EXPECT_GT(p_value(low_bits), 1e-6) << extent;
    }
  }
}

TEST(IndexDrawer, ReachesFirstAndLastIndexOfEveryMode) {
  const IndexDrawer drawer(Box{{2, 0, 4}, {3, 1, 6}});
  std::vector<std::set<Index>> seen(3);
  for (std::size_t t = 0; t < 1000; ++t) {
    Index index[3];
    drawer.draw({stream, 0}, t, 0, index);
    for (std::size_t k = 0; k < 3; ++k) seen[k].insert(index[k]);
  }
  EXPECT_EQ(seen[0], (std::set<Index>{2, 3, 4}));
  EXPECT_EQ(seen[1], (std::set<Index>{0}));
  EXPECT_EQ(seen[2], (std::set<Index>{4, 5, 6, 7, 8, 9}));
}

TEST(DrawNumber, IsFairBeyondTwoToTheThirtyTwo) {
  // 32-bit words would never reach most of these; thirds tell a truncated range at once.
  const std::uint64_t n = 3ull << 40;
  std::vector<double> thirds(3);
  std::vector<std::uint64_t> numbers(30'000);
  draw_numbers({stream, 2}, 0, numbers.size(), n, numbers.data());
  for (const std::uint64_t number : numbers) thirds[number >> 40] += 1;
  EXPECT_GT(p_value(thirds), 1e-6);
}

// Every instruction set, every length, odd layouts of words: bit for bit what the words of the stream say.
TEST(IndexDrawer, ManyAtOnceEqualOneAtATime) {
  testing::for_each_simd_target([](SimdTarget) {
    const std::vector<Box> boxes = {
        {{0, 3, 1}, {24, 100'000, 7}}, {{0}, {0xffffffffull}}, {{5, 0, 0, 9, 2}, {70'000, 80'000, 65'537, 65'536, 3}}};
    for (const Box& box : boxes) {
      const IndexDrawer drawer(box);
      for (const std::size_t n : {1, 2, 3, 4, 5, 7, 8, 9, 31, 64, 65}) {
        Batch batch;
        batch.resize(box.modes(), n, false);
        const DrawKey key{stream, (std::uint64_t{7} << 40) + 3, 11};
        drawer.draw(key, {100, n}, 0, n, batch, 0);
        for (std::size_t t = 0; t < n; ++t) {
          std::vector<std::uint32_t> words;
          for (std::uint32_t b = 0; b < drawer.blocks(); ++b) {
            for (const auto w : stream.words(key.draw, key.part, static_cast<std::uint32_t>(100 + t), b))
              words.push_back(w);
          }
          std::size_t at = 0;
          for (std::size_t k = 0; k < box.modes(); ++k) {
            const std::uint64_t extent = box.extent[k];
            const bool one = extent <= one_word_extent;
            const std::uint64_t offset = one ? bounded32(words[at], static_cast<std::uint32_t>(extent))
                                             : bounded64(words[at], words[at + 1], extent);
            at += one ? 1 : 2;
            ASSERT_EQ(batch.index[k][t], box.low[k] + offset) << "mode " << k << " sample " << t << " of " << n;
          }
        }
      }
    }
  });
}

}  // namespace
}  // namespace polyad::test
