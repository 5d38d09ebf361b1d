#include <polyad/base/exact_numbers.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace polyad {
namespace {

TEST(CompensatedSum, KeepsWhatPlainSumsLose) {
  CompensatedSum cancels;
  for (const double term : {1.0, 1e100, 1.0, -1e100}) cancels.add(term);
  EXPECT_EQ(cancels.value(), 2.0);

  CompensatedSum many;
  many.add(1);
  for (int i = 0; i < 1000000; ++i) many.add(0x1p-60);
  EXPECT_EQ(many.value(), 1 + 1000000 * 0x1p-60);
}

TEST(CompensatedSum, OverflowsAsPlainSumsDo) {
  CompensatedSum sum;
  EXPECT_EQ(sum.value(), 0);
  sum.add(1e308);
  sum.add(1e308);
  EXPECT_EQ(sum.value(), std::numeric_limits<double>::infinity());
  sum.add(std::numeric_limits<double>::quiet_NaN());
  EXPECT_TRUE(std::isnan(sum.value()));
}

}  // namespace
}  // namespace polyad
