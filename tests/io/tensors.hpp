#pragma once
// Small tensors and comparisons that the format tests share.

#include <polyad/tensor/tensor.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <initializer_list>
#include <map>
#include <utility>
#include <vector>

namespace polyad {

using Cell = std::vector<Index>;

inline Records records_of(std::size_t modes, std::initializer_list<std::pair<Cell, double>> entries) {
  Records records(modes);
  for (const auto& [cell, value] : entries) records.append(cell.data(), value);
  return records;
}

/// Entries as a map, whatever their order.
inline std::map<Cell, double> entries_of(const Records& records) {
  std::map<Cell, double> out;
  for (std::size_t i = 0; i < records.size(); ++i) {
    out[Cell(records.index(i), records.index(i) + records.modes())] = records.value(i);
  }
  return out;
}
inline std::map<Cell, double> entries_of(const Tensor& tensor) {
  return entries_of(tensor.sparse()->records());
}

inline void expect_same_records(const Records& a, const Records& b) {
  ASSERT_EQ(a.size(), b.size());
  ASSERT_EQ(a.modes(), b.modes());
  ASSERT_EQ(a.weighted(), b.weighted());
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < a.modes(); ++k) ASSERT_EQ(a.index(i)[k], b.index(i)[k]);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(a.value(i)), std::bit_cast<std::uint64_t>(b.value(i)));
    ASSERT_EQ(std::bit_cast<std::uint64_t>(a.weight(i)), std::bit_cast<std::uint64_t>(b.weight(i)));
  }
}

/// Every bit the same.
inline void expect_same_tensor(const Tensor& a, const Tensor& b) {
  ASSERT_EQ(a.space(), b.space());
  ASSERT_EQ(a.labels(), b.labels());
  ASSERT_EQ(a.is_sparse(), b.is_sparse());
  if (a.is_sparse()) {
    expect_same_records(a.sparse()->records(), b.sparse()->records());
    expect_same_records(a.sparse()->missing(), b.sparse()->missing());
    EXPECT_EQ(a.sparse()->unlisted(), b.sparse()->unlisted());
    EXPECT_EQ(a.sparse()->zero_weight(), b.sparse()->zero_weight());
    return;
  }
  ASSERT_EQ(a.dense()->weighted(), b.dense()->weighted());
  for (std::uint64_t cell = 0; cell < a.dense()->cells(); ++cell) {
    ASSERT_EQ(std::bit_cast<std::uint64_t>(a.dense()->value(cell)),
              std::bit_cast<std::uint64_t>(b.dense()->value(cell)));
    ASSERT_EQ(a.dense()->weight(cell), b.dense()->weight(cell));
  }
}

/// Values that test printing and parsing: extremes, denormals, nearly equal, negative.
inline const std::vector<double> awkward_values = {1,
                                                   -1,
                                                   0.1,
                                                   1.0 / 3,
                                                   1e300,
                                                   5e-324,
                                                   -2e-308,
                                                   1e15,
                                                   1e16,
                                                   123456789012345678.0,
                                                   0x1.fffffffffffffp1023,
                                                   2.5,
                                                   1e-7,
                                                   -0.5,
                                                   9007199254740993.0,
                                                   100};

inline Tensor awkward_sparse(Unlisted unlisted = Unlisted::zero) {
  Records records(3);
  Index i = 0;
  for (const double value : awkward_values) {
    const Index cell[] = {i, (7 * i) % 5, 4000000000u - i};
    records.append(cell, value);
    ++i;
  }
  Labels labels(3);
  labels.mode(0).name = "Tag: Ü";
  labels.mode(2).name = "wide";
  return {SparseTensor(IndexSpace({20, 5, std::uint64_t{1} << 53}), std::move(records), unlisted), labels};
}

inline Tensor awkward_dense(bool with_missing) {
  AlignedVector<double> values(awkward_values.begin(), awkward_values.end());
  values[3] = 0;
  if (with_missing) values[5] = std::numeric_limits<double>::quiet_NaN();
  return {DenseTensor(IndexSpace({2, 4, 2}), std::move(values))};
}

}  // namespace polyad
