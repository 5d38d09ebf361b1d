#pragma once
// Walks over all cells of small problems, for expectations computed apart from the generators.

#include <polyad/base/error.hpp>
#include <polyad/problems/problem.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace polyad::testing {

inline void for_each_cell(const IndexSpace& space, const std::function<void(const std::vector<Index>&)>& visit) {
  std::vector<Index> index(space.modes(), 0);
  for (double cell = 0; cell < space.cells(); ++cell) {
    visit(index);
    for (std::size_t k = space.modes(); k-- > 0;) {
      if (++index[k] < space.extent(k)) break;
      index[k] = 0;
    }
  }
}

/// The model's value by its definition.
inline double model_value(const KTensor& model, const std::vector<Index>& index) {
  double m = 0;
  for (std::size_t j = 0; j < model.rank(); ++j) {
    double product = model.weights[j];
    for (std::size_t k = 0; k < model.modes(); ++k) product *= model.factors.at(k, index[k], j);
    m += product;
  }
  return m;
}

inline double sparse_value(const SparseTensor& tensor, const std::vector<Index>& index) {
  const auto record = tensor.find(index.data());
  return record == CellSet::absent ? 0.0 : tensor.records().value(record);
}

/// Same cells, values and order.
inline void expect_same_records(const Records& a, const Records& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t record = 0; record < a.size(); ++record) {
    for (std::size_t k = 0; k < a.modes(); ++k) ASSERT_EQ(a.index(record)[k], b.index(record)[k]) << record;
    ASSERT_EQ(a.value(record), b.value(record)) << record;
  }
}

inline void expect_usage_error(const std::function<void()>& action, const std::string& part) {
  try {
    action();
    ADD_FAILURE() << "no error; expected one with: " << part;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

}  // namespace polyad::testing
