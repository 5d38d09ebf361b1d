#include "temp_folder.hpp"
#include "tensors.hpp"

#include <polyad/io/model_file.hpp>

#include <gmock/gmock.h>

namespace polyad {
namespace {

using ::testing::HasSubstr;
using Entries = std::map<Cell, double>;

class Inspect : public TempFolder {
 protected:
  static const Finding* find(const Inspection& found, const std::string& kind) {
    for (const Finding& finding : found.findings) {
      if (finding.kind == kind) return &finding;
    }
    return nullptr;
  }
};

TEST_F(Inspect, FindsEachKindAndCleansUp) {
  const Inspection found = inspect_file(write("x.tns", "1 1 3\n2 3 0\n1 1 4\n2 2 nan\n2 1 -1\n5 3 1\n2 2 inf\n"), {});
  ASSERT_NE(find(found, "duplicates"), nullptr);
  EXPECT_EQ(find(found, "duplicates")->count, 2u);
  EXPECT_EQ(find(found, "duplicates")->examples[0], "(1, 1) has 3 and again 4");
  EXPECT_EQ(find(found, "explicit-zeros")->count, 1u);
  EXPECT_EQ(find(found, "explicit-zeros")->examples[0], "0 at (2, 3)");
  EXPECT_EQ(find(found, "not-finite")->count, 2u);
  EXPECT_EQ(find(found, "negative")->count, 1u);
  EXPECT_FALSE(find(found, "negative")->fixable);
  ASSERT_NE(find(found, "empty-slices"), nullptr);
  EXPECT_THAT(find(found, "empty-slices")->text, HasSubstr("mode 1: 2 of 5 indices have no entry"));
  EXPECT_EQ(entries_of(found.tensor), (Entries{{{0, 0}, 7}, {{1, 0}, -1}, {{4, 2}, 1}}));
}

TEST_F(Inspect, ACleanFile) {
  EXPECT_TRUE(inspect_file(write("x.tns", "1 1 3\n2 2 1\n"), {}).findings.empty());
}

TEST_F(Inspect, SuspiciousBase) {
  ReadOptions options;
  options.base = 0;
  const Inspection all = inspect_file(write("x.tns", "1 1 3\n2 2 1\n"), options);
  ASSERT_NE(find(all, "base"), nullptr);
  EXPECT_THAT(find(all, "base")->text, HasSubstr("every mode"));
  const Inspection some = inspect_file(write("x.tns", "0 1 3\n1 2 1\n"), {});
  ASSERT_NE(find(some, "base"), nullptr);
  EXPECT_THAT(find(some, "base")->examples, ::testing::ElementsAre("mode 2"));
}

TEST_F(Inspect, Dense) {
  write_tensor(path("x.npy"), awkward_dense(true));
  const Inspection found = inspect_file(path("x.npy"), {});
  EXPECT_EQ(find(found, "missing")->examples, std::vector<std::string>{"(1, 3, 2)"});
  EXPECT_EQ(find(found, "negative")->count, 3u);
  const Inspection infinite = inspect_file(POLYAD_GOLDEN_DIR "/io/infinite.npy", {});
  EXPECT_EQ(find(infinite, "not-finite")->examples, std::vector<std::string>{"inf at (2, 2)"});
  EXPECT_EQ(infinite.tensor.observed(), 3);
}

// Files of other formats reach the same eyes before anything is summed.
TEST_F(Inspect, EveryFormatShowsItsDuplicates) {
  write("x.txt", "sptensor\n2\n2 2\n2\n1 1 1\n1 1 2\n");
  EXPECT_NE(find(inspect_file(path("x.txt"), {}), "duplicates"), nullptr);
}

}  // namespace
}  // namespace polyad
