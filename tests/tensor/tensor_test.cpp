#include <polyad/base/error.hpp>
#include <polyad/tensor/tensor.hpp>
#include <tensor/helpers.hpp>

#include "special_values.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace polyad {
namespace {

SparseTensor sparse_of(const std::vector<double>& values) {
  Records records(1);
  for (Index i = 0; i < values.size(); ++i) records.append(&i, values[i]);
  return SparseTensor(IndexSpace({1000000}), std::move(records));
}

TEST(Tensor, HoldsEitherKind) {
  Tensor dense(DenseTensor(IndexSpace({2, 2}), {3, nan, 4, 0}));
  EXPECT_FALSE(dense.is_sparse());
  EXPECT_NE(dense.dense(), nullptr);
  EXPECT_EQ(dense.sparse(), nullptr);
  EXPECT_EQ(dense.observed(), 3);
  EXPECT_EQ(dense.norm(), 5);
  EXPECT_EQ(dense.space(), IndexSpace({2, 2}));

  const Tensor sparse(sparse_of({3, 4}));
  EXPECT_TRUE(sparse.is_sparse());
  EXPECT_EQ(sparse.observed(), 1000000);
  EXPECT_EQ(sparse.norm(), 5);
}

TEST(Tensor, NormNeitherOverflowsNorVanishes) {
  EXPECT_EQ(Tensor(sparse_of({3e300, -4e300})).norm(), 5e300);
  EXPECT_NEAR(Tensor(sparse_of({3e-300, 4e-300})).norm(), 5e-300, 1e-314);
  EXPECT_NEAR(Tensor(sparse_of({3e-310, 4e-310})).norm() / 5e-310, 1, 1e-10);
  EXPECT_EQ(Tensor(sparse_of({})).norm(), 0);
  EXPECT_EQ(Tensor(DenseTensor(IndexSpace({2}), {nan, nan})).norm(), 0);
}

TEST(Tensor, NormDoesNotDriftOverManyEntries) {
  // Squares below half an ulp of a plain running sum would all be lost after the first.
  std::vector<double> values(500001, 1e-9);
  values[0] = 1;
  const long double expected = std::sqrt(1.0L + 500000 * (1e-9L * 1e-9L));
  EXPECT_NEAR(Tensor(sparse_of(values)).norm(), static_cast<double>(expected), 3e-16);
  EXPECT_GT(Tensor(sparse_of(values)).norm(), 1.0);
}

TEST(Tensor, EverythingMissingIsNoData) {
  EXPECT_EQ(Tensor(DenseTensor(IndexSpace({2}), {nan, nan})).observed(), 0);
  EXPECT_EQ(Tensor(SparseTensor(IndexSpace({2, 2}), Records(2), Unlisted::missing)).observed(), 0);
}

TEST(Tensor, LabelsAlwaysFitTheShape) {
  Tensor tensor(DenseTensor(IndexSpace({2, 2}), {1, 2, 3, 4}));
  EXPECT_EQ(tensor.labels().modes(), 2u);
  EXPECT_EQ(tensor.labels().mode_name(1), "mode 2");
  tensor.set_labels(Labels({{"day", {"Mon", "Tue"}}, {"", {}}}));
  EXPECT_EQ(tensor.labels().entry(0, 1), "Tue");
  EXPECT_EQ(error_of([&] { tensor.set_labels(Labels({{"day", {"Mon"}}, {"", {}}})); }).kind(), ErrorKind::data);
  EXPECT_EQ(tensor.labels().entry(0, 1), "Tue");
  EXPECT_EQ(error_of([] { Tensor(sparse_of({1}), Labels(std::size_t{3})); }).kind(), ErrorKind::data);
}

}  // namespace
}  // namespace polyad
