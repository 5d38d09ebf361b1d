#include <polyad/base/error.hpp>
#include <polyad/tensor.hpp>
#include <tensor/helpers.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace polyad {
namespace {

using testing::HasSubstr;

Labels sample() {
  return Labels({{"day", {"Mon", "Tue", "Wed"}}, {"", {}}, {"type", {}}, {"", {"a", "b"}}});
}

TEST(Labels, FallBackToNumbersFromOne) {
  const Labels labels = sample();
  EXPECT_EQ(labels.mode_name(0), "day");
  EXPECT_EQ(labels.mode_name(1), "mode 2");
  EXPECT_EQ(labels.entry(0, 1), "Tue");
  EXPECT_EQ(labels.entry(1, 0), "1");
  EXPECT_EQ(labels.entry(2, 9), "10");
  EXPECT_EQ(labels.entry(3, 1), "b");
  EXPECT_EQ(Labels().mode_name(4), "mode 5");
  EXPECT_EQ(Labels().entry(4, 0), "1");
}

TEST(Labels, FindModesByNameAndByNumber) {
  const Labels labels = sample();
  EXPECT_EQ(labels.find_mode("day"), 0u);
  EXPECT_EQ(labels.find_mode("type"), 2u);
  EXPECT_EQ(labels.find_mode("1"), 0u);
  EXPECT_EQ(labels.find_mode("4"), 3u);
  // A name that looks like a number is a name first.
  EXPECT_EQ(Labels({{"2", {}}, {"x", {}}}).find_mode("2"), 0u);
  for (const char* unknown : {"0", "5", "", "dey", "1x", "-1"}) {
    const Error error = error_of([&] { labels.find_mode(unknown); });
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_THAT(error.what(), HasSubstr(fmt::format("no mode '{}': the modes are 1 (day), 2, 3 (type), 4", unknown)));
  }
  const Labels twins({{"x", {}}, {"x", {}}});
  EXPECT_THAT(error_of([&] { twins.find_mode("x"); }).what(), HasSubstr("several modes are named 'x'"));
}

TEST(Labels, CheckAgainstTheShape) {
  sample().check(IndexSpace({3, 7, 8, 2}));
  const Error fewer = error_of([] { sample().check(IndexSpace({4, 7, 8, 2})); });
  EXPECT_EQ(fewer.kind(), ErrorKind::data);
  EXPECT_THAT(fewer.what(), HasSubstr("labels of mode 1 (day): 3 given but the mode has 4 indices"));
  EXPECT_THAT(error_of([] {
                sample().check(IndexSpace({3, 7, 8, 1}));
              }).what(),
              HasSubstr("labels of mode 4: 2 given but the mode has 1"));
  EXPECT_THAT(error_of([] {
                sample().check(IndexSpace({3, 7, 8}));
              }).what(),
              HasSubstr("labels are for 4 modes but the tensor has 3 (3 x 7 x 8)"));
}

// Formats that end a text at its first zero byte would make these two equal.
TEST(Labels, AZeroByteIsRefused) {
  Labels labels(1);
  labels.mode(0).entries = {std::string("a\0b", 3), std::string("a\0c", 3)};
  EXPECT_THROW(labels.check(IndexSpace({2})), Error);
  labels.mode(0).entries = {"a", "b"};
  labels.check(IndexSpace({2}));
  labels.mode(0).name = std::string("n\0", 2);
  EXPECT_THROW(labels.check(IndexSpace({2})), Error);
}

}  // namespace
}  // namespace polyad
