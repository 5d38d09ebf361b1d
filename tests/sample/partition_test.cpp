// How many parts a fit is divided into, and that they are equal shares of the work.

#include <polyad/sample/partition.hpp>

#include <gtest/gtest.h>

namespace polyad::test {
namespace {

std::uint64_t parts(const std::vector<std::uint64_t>& extents, std::uint64_t samples) {
  return default_parts(IndexSpace(extents), samples, samples / 2);
}

TEST(DefaultParts, OnePartForSoManySamples) {
  EXPECT_EQ(parts({200, 150, 100, 50}, 499), 1u);
  EXPECT_EQ(parts({200, 150, 100, 50}, 1000), 2u);
  EXPECT_EQ(parts({6186, 24, 77, 32}, 6319), 12u);
}

TEST(DefaultParts, NeverMoreThanTheLimitNorThanIndicesNorThanSamples) {
  EXPECT_EQ(parts({1'000'000, 10}, 10'000'000), max_parts);
  EXPECT_EQ(parts({5, 4, 3}, 1'000'000), 5u);
  EXPECT_EQ(default_parts(IndexSpace({1000, 2}), 100'000, 3), 3u);
  EXPECT_EQ(parts({10, 10}, 1), 1u);
}

// Copies of the gradient of large shared modes cost more than they bring; those that remain divide evenly among threads.
TEST(DefaultParts, FewAndAPowerOfTwoWhereSharedModesAreLarge) {
  EXPECT_EQ(parts({100'000, 100'000, 10'000}, 210'000), 4u);
  EXPECT_EQ(parts({100'000, 100'000, 100'000}, 210'000), 4u);
  EXPECT_EQ(parts({100'000, 100'000, 100'000}, 190'000), 2u);
  EXPECT_EQ(parts({100'000, 100'000}, 20'000), 1u);
  EXPECT_EQ(parts({2000, 1333}, 5000), 10u) << "shared modes allow 15, which is no limit";
}

TEST(Partition, EqualSharesOfADenseTensor) {
  const Tensor tensor = DenseTensor(IndexSpace({10, 3}), AlignedVector<double>(30, 1.0));
  const Partition partition = make_partition(tensor, 4, 0, 1);
  EXPECT_EQ(partition.mode, 0u);
  EXPECT_EQ(partition.bounds, (std::vector<Index>{0, 3, 5, 8, 10}));
}

}  // namespace
}  // namespace polyad::test
