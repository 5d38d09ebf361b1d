#include "problems/helpers.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace polyad {
namespace {

using namespace testing;

bool same_bits(std::span<const double> a, std::span<const double> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

TEST(Gamma, RatiosToTheModelAreStandardExponential) {
  const Problem p = make_gamma({.shape = "60x50x40x3", .rank = 4, .seed = 3});
  const DenseTensor& x = *p.tensor.dense();
  double sum = 0, squares = 0, above_one = 0;
  std::vector<double> by_row(60, 0);
  for_each_cell(x.space(), [&](const std::vector<Index>& index) {
    const double ratio = x.value(x.position(index)) / model_value(p.truth, index);
    ASSERT_GT(ratio, 0);
    sum += ratio;
    squares += ratio * ratio;
    above_one += ratio > 1;
    by_row[index[0]] += ratio;
  });
  const double n = 360000;
  EXPECT_NEAR(sum / n, 1, 5 / std::sqrt(n));
  EXPECT_NEAR(squares / n, 2, 5 * std::sqrt(20 / n));  // var(e^2) = 24 - 4
  EXPECT_NEAR(above_one / n, std::exp(-1.0), 5 * 0.48 / std::sqrt(n));
  for (const double row : by_row) EXPECT_NEAR(row / 6000, 1, 5 / std::sqrt(6000.0));
}

TEST(Gamma, FactorsAreUniform) {
  const Problem p = make_gamma({.shape = "2000x2x2", .rank = 5, .seed = 4});
  double sum = 0, squares = 0, low = 1, high = 0;
  for (std::size_t i = 0; i < 2000; ++i) {
    for (std::size_t j = 0; j < 5; ++j) {
      const double a = p.truth.factors.at(0, i, j);
      sum += a;
      squares += a * a;
      low = std::min(low, a);
      high = std::max(high, a);
    }
  }
  EXPECT_NEAR(sum / 1e4, 0.5, 5 * 0.2887 / 100);
  EXPECT_NEAR(squares / 1e4, 1.0 / 3, 5 * 0.298 / 100);
  EXPECT_GT(low, 0);
  EXPECT_LT(low, 0.01);
  EXPECT_GT(high, 0.99);
  EXPECT_LT(high, 1);
}

TEST(Gamma, SameForAnyNumberOfThreadsAndDifferentForOtherSeeds) {
  // More cells than a task takes, and a last task that is shorter.
  const GammaOptions options{.shape = "101x97x83", .rank = 3, .seed = 5};
  const Problem one = make_gamma(options, 1);
  for (const std::size_t threads : {2, 5}) {
    const Problem many = make_gamma(options, threads);
    EXPECT_TRUE(same_bits(one.tensor.dense()->values(), many.tensor.dense()->values()));
    EXPECT_EQ(one.truth, many.truth);
  }
  GammaOptions other = options;
  other.seed = 6;
  const Problem different = make_gamma(other, 1);
  EXPECT_NE(one.truth, different.truth);
  EXPECT_FALSE(same_bits(one.tensor.dense()->values(), different.tensor.dense()->values()));
}

TEST(Gamma, HiddenCellsHoldWhatWasThere) {
  GammaOptions options{.shape = "30x20x10", .rank = 2, .seed = 8};
  const Problem whole = make_gamma(options);
  options.missing = 0.2;
  const Problem holed = make_gamma(options);
  EXPECT_EQ(whole.hidden.size(), 0u);
  ASSERT_EQ(holed.hidden.size(), 1200u);
  const DenseTensor& x = *holed.tensor.dense();
  EXPECT_EQ(x.observed(), 4800u);
  std::vector<int> by_row(30, 0);
  for (std::size_t record = 0; record < holed.hidden.size(); ++record) {
    const auto cell = x.position({holed.hidden.index(record), 3});
    EXPECT_TRUE(x.missing(cell));
    EXPECT_EQ(holed.hidden.value(record), whole.tensor.dense()->value(cell));
    ++by_row[holed.hidden.index(record)[0]];
  }
  for (std::uint64_t cell = 0; cell < x.cells(); ++cell) {
    if (x.missing(cell)) continue;
    EXPECT_EQ(x.value(cell), whole.tensor.dense()->value(cell));
  }
  for (const int count : by_row) EXPECT_NEAR(count, 40, 5 * std::sqrt(200 * 0.2 * 0.8));
}

TEST(Gaussian, NoiseHasTheStatedStrength) {
  const Problem p = make_gaussian({.shape = "80x60x50", .rank = 4, .snr = 5, .seed = 2});
  const DenseTensor& x = *p.tensor.dense();
  double signal = 0, noise = 0, mean = 0, fourth = 0;
  for_each_cell(x.space(), [&](const std::vector<Index>& index) {
    const double m = model_value(p.truth, index);
    const double e = x.value(x.position(index)) - m;
    signal += m * m;
    noise += e * e;
    mean += e;
    fourth += e * e * e * e;
  });
  const double n = 240000;
  EXPECT_NEAR(std::sqrt(signal / noise), 5, 5 * 5 / std::sqrt(2 * n));
  EXPECT_NEAR(mean / n, 0, 5 * std::sqrt(noise / n / n));
  EXPECT_NEAR(fourth / n / std::pow(noise / n, 2), 3, 5 * std::sqrt(24 / n));
}

TEST(Gaussian, WithoutNoiseIsTheModelAndSignsAreAsAsked) {
  const auto inf = std::numeric_limits<double>::infinity();
  const Problem signed_one = make_gaussian({.shape = "7x6x5", .rank = 3, .snr = inf});
  const DenseTensor& x = *signed_one.tensor.dense();
  for_each_cell(x.space(), [&](const std::vector<Index>& index) {
    EXPECT_NEAR(x.value(x.position(index)), model_value(signed_one.truth, index), 1e-12);
  });
  const auto flat = signed_one.truth.factors.flat();
  EXPECT_LT(*std::min_element(flat.begin(), flat.end()), 0);
  const Problem positive = make_gaussian({.shape = "7x6x5", .rank = 3, .nonnegative = true});
  const auto entries = positive.truth.factors.flat();
  EXPECT_GE(*std::min_element(entries.begin(), entries.end()), 0);
}

TEST(Gaussian, OddShapesWork) {
  EXPECT_EQ(make_gaussian({.shape = "1", .rank = 1}).tensor.observed(), 1);
  EXPECT_EQ(make_gaussian({.shape = "9", .rank = 2, .missing = 0.5}).tensor.observed(), 4);
  EXPECT_EQ(make_gaussian({.shape = "1x1x1", .rank = 1, .missing = 0.9}).tensor.observed(), 1);
  EXPECT_EQ(make_gaussian({.shape = "3x1x4", .rank = 12, .missing = 0.9999}).tensor.observed(), 1);
}

TEST(Dense, BadOptionsAreRefused) {
  expect_usage_error([] { make_gamma({.rank = 0}); }, "rank must be at least 1 (is 0)");
  expect_usage_error([] { make_gamma({.missing = 1}); }, "missing must be at least 0 and below 1 (is 1)");
  expect_usage_error([] { make_gaussian({.snr = 0}); }, "snr must be above 0");
  expect_usage_error([] { make_gamma({.shape = "100000x100000x100000"}); }, "too many for a dense tensor");
  expect_usage_error([] { make_gamma({.shape = "20xzwanzig"}); }, "zwanzig");
}

}  // namespace
}  // namespace polyad
