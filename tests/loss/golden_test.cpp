// Every loss in the list against values computed without polyad.

#include "golden.hpp"
#include <polyad/base/error.hpp>
#include <polyad/base/simd_target.hpp>
#include "each_simd_target.hpp"
#include "oracle.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace polyad {
namespace {

using testing::exact_loss;
using testing::ExactSum;
using testing::golden_rows;

TEST(Golden, EveryLossHasRows) {
  std::set<std::string, std::less<>> covered;
  for (const auto& row : golden_rows()) covered.insert(row.loss);
  for (const Loss& loss : all_losses()) {
    EXPECT_TRUE(covered.contains(loss.name())) << loss.name() << " has no row in golden_elementwise.json";
  }
}

// log(m + eps) near m = 1 cannot know m + eps better than to one part in 2^53.
constexpr double input_rounding = 2e-16;

// Golden values are plain evaluations in double precision. Where these cancel, 50 digits tell how much of a
// golden value is rounding (zero-truncated-poisson at m = 1e-12 is wrong in its fifth digit), and ours may
// differ by that much.
void expect_golden(double ours, double golden, const ExactSum& exact) {
  const double golden_error = std::abs(golden - exact.value);
  // The libraries' own functions are good to the last digit, those for vectors to four units of it.
  const double units = simd_target() == SimdTarget::scalar ? 1 : 4;
  EXPECT_NEAR(ours, golden, 1e-12 * std::abs(golden) + 1.1 * golden_error + units * 1e-15 * exact.scale);
  EXPECT_NEAR(ours, exact.value, units * 2e-15 * exact.scale + input_rounding);
}

TEST(Golden, ValueAndDerivative) {
  testing::for_each_simd_target([](SimdTarget) {
    std::size_t compared = 0;
    for (const auto& row : golden_rows()) {
      SCOPED_TRACE(fmt::format("{} at x = {}, m = {}", row.spec, row.x, row.m));
      const Loss loss = parse_loss(row.spec);
      const auto exact = exact_loss(loss, row.x, row.m);
      expect_golden(loss.value(row.x, row.m), row.f, exact.f);
      expect_golden(loss.derivative(row.x, row.m), row.df, exact.df);
      ++compared;
    }
    EXPECT_GE(compared, 200u);
  });
}

// Nearly all golden rows are accurate, so that the comparison above is with golden values, not with the
// oracle alone.
TEST(Golden, RowsAreAccurateButForAFew) {
  std::size_t inaccurate = 0;
  for (const auto& row : golden_rows()) {
    const auto exact = exact_loss(parse_loss(row.spec), row.x, row.m);
    const bool fine = std::abs(row.f - exact.f.value) <= 4e-15 * exact.f.scale + input_rounding &&
                      std::abs(row.df - exact.df.value) <= 4e-15 * exact.df.scale + input_rounding;
    if (!fine) ++inaccurate;
  }
  EXPECT_LE(inaccurate, 10u);
}

}  // namespace
}  // namespace polyad
