#include <polyad/base/error.hpp>
#include <polyad/model.hpp>

#include <gmock/gmock.h>

#include <cstdint>
#include <limits>

namespace polyad {
namespace {

TEST(Factors, StartsZeroWithAlignedModesAndPaddedRows) {
  for (const std::size_t rank : {1u, 3u, 4u, 5u, 8u, 13u}) {
    const Factors f({3, 1, 7, 2}, rank);
    EXPECT_EQ(f.modes(), 4u);
    EXPECT_EQ(f.stride() % 4, 0u);
    EXPECT_GE(f.stride(), rank);
    EXPECT_LT(f.stride(), rank + 4);
    std::size_t end = 0;
    for (std::size_t k = 0; k < f.modes(); ++k) {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(f.row(k, 0)) % 64, 0u) << "rank " << rank << " mode " << k;
      EXPECT_GE(f.mode_begin(k), end);
      EXPECT_EQ(f.mode_span(k).data(), f.flat().data() + f.mode_begin(k));
      EXPECT_EQ(f.mode_span(k).size(), f.rows(k) * f.stride());
      EXPECT_EQ(f.row(k, f.rows(k) - 1) + f.stride(), f.mode_span(k).data() + f.mode_span(k).size());
      end = f.mode_begin(k) + f.mode_span(k).size();
    }
    EXPECT_EQ(f.flat().size(), end);
    EXPECT_THAT(f.flat(), ::testing::Each(0.0));
  }
}

TEST(Factors, CopiesAreIndependentAndCompareByValue) {
  Factors a({2, 3}, 2);
  Factors b = a;
  b.at(1, 2, 1) = 5;
  EXPECT_NE(a, b);
  EXPECT_EQ(a.at(1, 2, 1), 0);
  a.at(1, 2, 1) = 5;
  EXPECT_EQ(a, b);
  b.set_zero();
  EXPECT_THAT(b.flat(), ::testing::Each(0.0));
}

TEST(Factors, ClearPaddingTouchesPaddingOnly) {
  Factors f({3, 2}, 5);
  for (std::size_t k = 0; k < 2; ++k) {
    for (double& v : f.mode_span(k)) v = 7;
  }
  f.clear_padding();
  for (std::size_t k = 0; k < 2; ++k) {
    for (std::size_t i = 0; i < f.rows(k); ++i) {
      for (std::size_t j = 0; j < f.stride(); ++j) EXPECT_EQ(f.row(k, i)[j], j < 5 ? 7 : 0);
    }
  }
}

TEST(Factors, AllFiniteLooksAtEveryEntry) {
  Factors f({3, 2}, 3);
  for (double& v : f.flat()) v = std::numeric_limits<double>::max();
  f.flat()[1] = std::numeric_limits<double>::denorm_min();
  f.flat()[2] = -std::numeric_limits<double>::max();
  EXPECT_TRUE(f.all_finite());
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()}) {
    for (std::size_t t = 0; t < f.flat().size(); ++t) {
      Factors g = f;
      g.flat()[t] = bad;
      EXPECT_FALSE(g.all_finite()) << bad << " at " << t;
    }
  }
}

TEST(Factors, TooLargeIsAnErrorThatSaysHowLarge) {
  try {
    Factors f(std::vector<std::uint64_t>(16, 0xffffffffu), std::size_t{1} << 40);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::data);
    EXPECT_THAT(e.what(), ::testing::HasSubstr("4294967295 x 4294967295"));
    EXPECT_THAT(e.what(), ::testing::HasSubstr("need 6.04e+11 TB, more memory than there is"));
  }
}

}  // namespace
}  // namespace polyad
