#include <polyad/base/error.hpp>
#include <polyad/solve/bounds.hpp>

#include "special_values.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace polyad {
namespace {

Labels city_labels() {
  Labels labels(3);
  labels.mode(0).name = "day";
  labels.mode(2).name = "area: north";
  return labels;
}

std::vector<Segment> segments(const BoundOptions& options, double loss_lower = -infinity) {
  return make_segments(options, loss_lower, Factors({4, 5, 6}, 3), city_labels());
}

std::string error_of(const BoundOptions& options, double loss_lower = -infinity) {
  try {
    segments(options, loss_lower);
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::usage);
    return e.what();
  }
  return "";
}

TEST(Bounds, ComeFromTheLossUnlessGiven) {
  EXPECT_EQ(segments({}, 0.0)[1].lower, 0.0);
  EXPECT_EQ(segments({}, 0.0)[1].upper, infinity);
  BoundOptions options;
  options.lower = 0.5;
  options.upper = 2;
  EXPECT_EQ(segments(options, 0.0)[2].lower, 0.5);
  EXPECT_EQ(segments(options, 0.0)[2].upper, 2);
}

TEST(Bounds, OfOneModeByNameOrNumber) {
  BoundOptions options;
  options.modes = {"day:lower=-1,upper=1", "2:fixed", "area: north:upper=inf,lower=0.25"};
  const auto s = segments(options);
  EXPECT_EQ(s[0].lower, -1);
  EXPECT_EQ(s[0].upper, 1);
  EXPECT_FALSE(s[0].fixed);
  EXPECT_TRUE(s[1].fixed);
  EXPECT_EQ(s[2].lower, 0.25);
  EXPECT_EQ(s[2].upper, infinity);
}

TEST(Bounds, ErrorsNameWhatIsWrong) {
  BoundOptions options;
  options.modes = {"day"};
  EXPECT_THAT(error_of(options), testing::HasSubstr("'day' is not of the form"));
  options.modes = {"day:least=0"};
  EXPECT_THAT(error_of(options), testing::HasSubstr("'least=0'"));
  options.modes = {"night:fixed"};
  EXPECT_THAT(error_of(options), testing::HasSubstr("night"));
  options.modes = {"day:lower=2,upper=1"};
  EXPECT_THAT(error_of(options), testing::HasSubstr("day: the lower bound 2 is above the upper bound 1"));
  options.modes = {"day:lower=-1"};
  EXPECT_THAT(error_of(options, 0.0), testing::HasSubstr("needs factors of at least 0"));
}

TEST(Bounds, MoveAGuessInsideAndLeavePaddingAndFixedModesAlone) {
  Factors f({2, 3}, 3);
  for (double& a : f.mode_span(0)) a = -5;
  for (double& a : f.mode_span(1)) a = -5;
  f.clear_padding();
  BoundOptions options;
  options.lower = 1;
  options.modes = {"2:fixed"};
  const auto s = make_segments(options, -infinity, f, Labels(2));
  apply_bounds(f, s);
  EXPECT_EQ(f.at(0, 1, 2), 1);
  EXPECT_EQ(f.at(1, 1, 2), -5);
  EXPECT_EQ(f.row(0, 0)[3], 0) << "padding";
}

}  // namespace
}  // namespace polyad
