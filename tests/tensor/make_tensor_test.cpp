// Tensors from what callers have in memory.

#include <polyad/error.hpp>
#include <polyad/tensor/tensor.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace polyad {
namespace {

template <class Body>
std::string message_of(ErrorKind kind, Body body) {
  try {
    body();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), kind);
    return e.what();
  }
  return "no error";
}

double value_in(const Tensor& tensor, std::vector<Index> cell) {
  Records cells(cell.size());
  cells.append(cell.data(), 0);
  const Records found = values_in(tensor, cells);
  return found.size() == 1 ? found.value(0) : std::nan("");
}

TEST(TensorFromColumns, TakesIndicesOfAnyTypeAndStride) {
  const std::vector<std::int64_t> first = {0, 2, 1, 2};
  const std::vector<std::uint8_t> second = {3, 0, 1, 0};
  // The indices of the third mode are every third number of an array.
  const std::int16_t interleaved[] = {4, -1, -1, 0, -1, -1, 2, -1, -1, 0, -1, -1};
  const IndexColumn third(interleaved, 4, 3 * sizeof(std::int16_t));
  const std::vector<double> values = {1.5, 2, 3, 40};
  BuildReport report;
  const Tensor tensor = Tensor::from_columns({}, {first, second, third}, values, {.report = &report});
  EXPECT_THAT(tensor.space().extents(), testing::ElementsAre(3u, 4u, 5u));
  EXPECT_EQ(report.duplicates_summed, 1u);
  EXPECT_EQ(tensor.listed(), 3u);
  EXPECT_EQ(value_in(tensor, {0, 3, 4}), 1.5);
  EXPECT_EQ(value_in(tensor, {2, 0, 0}), 42);
  EXPECT_EQ(value_in(tensor, {1, 1, 2}), 3);
  EXPECT_EQ(value_in(tensor, {1, 1, 1}), 0);
}

TEST(TensorFromColumns, TakesWeightsLabelsAndWhatUnlistedCellsAre) {
  const std::vector<int> i = {0, 1}, j = {1, 0};
  const std::vector<double> values = {5, 6}, weights = {2, 0};
  const Tensor tensor = Tensor::from_columns(
      {2, 2}, {i, j}, values,
      {.unlisted = Unlisted::missing, .weights = weights, .labels = Labels({{"day", {"Mon", "Tue"}}, {"", {}}})});
  EXPECT_EQ(tensor.observed(), 1);  // weight 0 is missing, unlisted cells are too
  EXPECT_EQ(tensor.sparse()->records().weight(0), 2);
  EXPECT_EQ(tensor.labels().entry(0, 1), "Tue");
}

TEST(TensorFromColumns, ErrorsNameEntryAndMode) {
  const std::vector<int> good = {0, 1}, negative = {0, -1}, large = {0, 7}, shorter = {0};
  const std::vector<std::uint64_t> huge = {0, ~std::uint64_t{0} - 1};
  const std::vector<double> values = {1, 2};
  const auto message = [&](std::vector<std::uint64_t> extents, const std::vector<IndexColumn>& columns) {
    return message_of(ErrorKind::data, [&] { (void)Tensor::from_columns(extents, columns, values); });
  };
  EXPECT_EQ(message({2, 2}, {good, negative}),
            "entry 2: the index of mode 2 is negative, but the mode has 2 (indices count from 0)");
  EXPECT_EQ(message({2, 2}, {large, good}),
            "entry 2: the index of mode 1 is 7, but the mode has 2 (indices count from 0)");
  EXPECT_EQ(message({}, {good, negative}),
            "entry 2: the index of mode 2 is negative; indices count from 0 and stay below 4294967295");
  EXPECT_THAT(message({}, {huge, good}), testing::StartsWith("entry 2: the index of mode 1 is 18446744073709551614;"));
  EXPECT_EQ(message({2, 2}, {good, shorter}),
            "mode 2 has 1 indices, but there are 2 values: give an index of every mode for each value");
  EXPECT_EQ(message({2, 2, 2}, {good, good}), "the shape 2 x 2 x 2 has 3 modes, but there are 2 columns of indices");
  EXPECT_THAT(message_of(ErrorKind::usage, [&] { (void)Tensor::from_columns({}, std::vector<IndexColumn>(), values); }),
              testing::HasSubstr("a column of indices per mode"));
}

TEST(TensorFromRecords, FindsItsShape) {
  Records records(2, true);
  records.append({1, 4}, 3, 0.5);
  records.append({0, 2}, 1);
  const Tensor tensor = Tensor::from_records({}, records);
  EXPECT_THAT(tensor.space().extents(), testing::ElementsAre(2u, 5u));
  EXPECT_TRUE(tensor.sparse()->weighted());
  EXPECT_EQ(message_of(ErrorKind::usage, [&] { records.append({1}, 2); }),
            "a cell of 2 modes has 1 indices: give one per mode");
}

TEST(DenseTensor, IsBorrowedWithoutACopyUntilItChanges) {
  std::vector<double> values = {1, 2, 3, std::nan("")};
  Tensor tensor = Tensor::borrowed({2, 2}, values);
  EXPECT_EQ(tensor.dense()->values().data(), values.data());
  EXPECT_EQ(tensor.observed(), 3);
  EXPECT_FALSE(tensor.mapped());
  const Tensor copy = tensor;
  EXPECT_EQ(copy.dense()->values().data(), values.data());
  Records cells(2);
  cells.append({0, 0}, 0);
  tensor.set_missing(cells);
  EXPECT_EQ(tensor.observed(), 2);
  EXPECT_EQ(copy.observed(), 3);
  EXPECT_EQ(values[0], 1);  // the caller's memory is left alone
  EXPECT_NE(tensor.dense()->values().data(), values.data());
}

TEST(DenseTensor, KeepsWhatItIsGivenAlive) {
  auto held = std::make_shared<std::vector<double>>(std::vector<double>{1, 2, 3, 4});
  const std::weak_ptr<std::vector<double>> watched = held;
  {
    const Tensor tensor = Tensor::borrowed({4}, *held, {}, held);
    held.reset();
    EXPECT_FALSE(watched.expired());
    EXPECT_EQ(value_in(tensor, {3}), 4);
  }
  EXPECT_TRUE(watched.expired());
}

TEST(DenseTensor, TakesOverAVector) {
  std::vector<double> values(1000, 2.5);
  const double* const there = values.data();
  const Tensor tensor = Tensor::dense({10, 100}, std::move(values));
  EXPECT_EQ(tensor.dense()->values().data(), there);
  EXPECT_EQ(tensor.listed(), 1000u);
  EXPECT_THAT(message_of(ErrorKind::data, [] { (void)Tensor::dense({2, 3}, {1, 2}); }), testing::HasSubstr("2 x 3"));
}

TEST(TensorWeights, AreForTheKindOfTensorThatTheySuit) {
  Tensor dense = Tensor::dense({2, 2}, {1, 2, 3, 4});
  dense.set_weights(std::vector<double>{1, 0, 2, 1});
  EXPECT_EQ(dense.observed(), 3);
  Records cells(2);
  cells.append({1, 1}, 5);
  dense.set_weights(cells);
  EXPECT_EQ(dense.dense()->weight(2), 2);
  EXPECT_EQ(dense.dense()->weight(3), 5);
  EXPECT_THAT(message_of(ErrorKind::usage, [&] { dense.set_zero_weight(2); }), testing::HasSubstr("this one is dense"));

  Records records(2);
  records.append({0, 1}, 3);
  Tensor sparse = Tensor::from_records({2, 2}, records);
  sparse.set_weights(cells);
  EXPECT_EQ(sparse.listed(), 2u);
  sparse.set_zero_weight(0);
  EXPECT_EQ(sparse.observed(), 2);
  EXPECT_THAT(message_of(ErrorKind::usage, [&] { sparse.set_weights(std::vector<double>(4, 1.0)); }),
              testing::HasSubstr("this one is sparse"));
  Records outside(2);
  outside.append({0, 2}, 1);
  EXPECT_EQ(message_of(ErrorKind::data, [&] { sparse.set_missing(outside); }),
            "cell 1 of the list, (1, 3) (counted from 1), is not in the tensor, which is 2 x 2");
}

}  // namespace
}  // namespace polyad
