#include <polyad/base/text.hpp>

#include <gtest/gtest.h>

#include <array>

namespace polyad {
namespace {

constexpr std::array<std::string_view, 6> losses{"gaussian",       "poisson",           "poisson-log",
                                                 "bernoulli-odds", "negative-binomial", "gamma"};

TEST(Suggest, FindsTheNearestName) {
  EXPECT_EQ(nearest("poison", losses), "poisson");
  EXPECT_EQ(nearest("guassian", losses), "gaussian");
  EXPECT_EQ(nearest("poisson_log", losses), "poisson-log");
  EXPECT_EQ(nearest("gama", losses), "gamma");
  EXPECT_EQ(nearest("neg", losses), "negative-binomial");
  EXPECT_EQ(nearest("bernoulli", losses), "bernoulli-odds");
  EXPECT_EQ(nearest("POISSON", losses), "poisson");
}

TEST(Suggest, StaysSilentWhereNothingIsNear) {
  EXPECT_EQ(nearest("hinge", losses), "");
  EXPECT_EQ(nearest("xyzzy", losses), "");
  EXPECT_EQ(nearest("", losses), "");
  EXPECT_EQ(nearest("gamma", {}), "");
  EXPECT_EQ(did_you_mean("xyzzy", losses), "");
  EXPECT_EQ(did_you_mean("gama", losses), " (did you mean 'gamma'?)");
}

}  // namespace
}  // namespace polyad
