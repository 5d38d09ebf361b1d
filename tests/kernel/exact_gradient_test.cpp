// Exact objective and gradient of whole tensors against the definition, cell by cell.

#include <polyad/base/error.hpp>
#include <polyad/kernel/exact_objective.hpp>
#include <polyad/kernel/row_products.hpp>
#include <polyad/loss.hpp>
#include <polyad/loss/all.hpp>
#include <polyad/sample/samplers.hpp>

#include "naive.hpp"
#include "sample/tensor_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace polyad {
namespace {

double frobenius_norm(const Factors& f) {
  double squares = 0;
  for (const double a : f.flat()) squares += a * a;
  return std::sqrt(squares);
}

double distance(const Factors& a, const Factors& b) {
  double squares = 0;
  for (std::size_t i = 0; i < a.flat().size(); ++i) squares += std::pow(a.flat()[i] - b.flat()[i], 2);
  return std::sqrt(squares);
}

std::vector<test::TensorCase> every_case() {
  auto cases = test::dense_cases();
  for (auto& sparse : test::sparse_cases()) cases.push_back(std::move(sparse));
  return cases;
}

std::vector<std::uint64_t> extents_of(const Tensor& tensor) {
  return {tensor.space().extents().begin(), tensor.space().extents().end()};
}

// The exact gradient equals that of the batch of all cells to 1e-12 of its norm, on any number of threads to the bit.
void expect_exact(const Tensor& tensor, const char* loss_name, std::size_t rank) {
  std::mt19937_64 rng(rank);
  const Loss loss = parse_loss(loss_name);
  const Factors model = naive::random_factors(extents_of(tensor), rank, rng);
  const Batch all = exhaustive_batch(tensor);
  const Factors expected = naive::gradient(model, all, loss);
  const double f = naive::objective(model, all, loss);

  const ExactGradient evaluate(tensor, loss);
  Factors gradient(model.extents(), rank);
  const double value = evaluate(model, 1, gradient);
  EXPECT_NEAR(value, f, 1e-12 * (std::abs(f) + static_cast<double>(all.size())));
  EXPECT_LE(distance(gradient, expected), 1e-12 * frobenius_norm(expected));
  for (const std::size_t threads : {2, 5}) {
    Factors again(model.extents(), rank);
    EXPECT_EQ(evaluate(model, threads, again), value);
    EXPECT_EQ(again, gradient);
  }
}

Tensor dense(const std::vector<std::uint64_t>& shape, bool holes, bool weights) {
  const IndexSpace space(shape);
  std::mt19937_64 rng(7);
  std::uniform_real_distribution<double> positive(0.2, 3);
  AlignedVector<double> values(*space.exact_cells());
  for (double& x : values) x = holes && rng() % 4 == 0 ? std::nan("") : positive(rng);
  DenseTensor tensor(space, values);
  if (weights) {
    AlignedVector<double> w(values.size());
    for (double& v : w) v = rng() % 5 == 0 ? 0.0 : positive(rng);
    tensor.set_weights(w);
  }
  return tensor;
}

TEST(ExactGradient, OfDenseTensorsOfAnyShape) {
  const std::vector<std::vector<std::uint64_t>> shapes = {
      {7},           {5, 4},          {3, 40},      {200, 3}, {6, 5, 300},          {4, 3, 2, 5},
      {9, 1, 37, 1}, {2, 3, 2, 3, 2}, {3, 130, 17}, {64, 65}, {2, 2, 2, 2, 2, 2, 2}};
  for (const auto& shape : shapes) {
    SCOPED_TRACE(IndexSpace(shape).to_string());
    expect_exact(dense(shape, false, false), "gamma", 3);
    expect_exact(dense(shape, true, false), "gaussian", 5);
    expect_exact(dense(shape, true, true), "huber:delta=0.5", 9);
  }
}

TEST(ExactGradient, OfDenseTensorsInSeveralParts) {
  expect_exact(dense({40, 30, 20, 9}, false, false), "gamma", 5);  // parts are ranges of rows
  expect_exact(dense({3, 70000}, true, false), "poisson", 2);      // parts are ranges of cells
  expect_exact(dense({200000}, false, false), "gaussian", 4);      // one mode only
  expect_exact(dense({2, 500, 300}, false, true), "beta-divergence", 3);
}

TEST(ExactGradient, OfEveryKindOfTensor) {
  for (const auto& [name, tensor] : every_case()) {
    SCOPED_TRACE(name);
    for (const char* loss : {"poisson", "gaussian", "bernoulli-logit", "negative-binomial:r=3"}) {
      for (const std::size_t rank : {1, 6}) expect_exact(tensor, loss, rank);
    }
  }
}

SparseTensor many_counts(const std::vector<std::uint64_t>& shape, std::size_t entries, bool weighted) {
  std::mt19937_64 rng(3);
  Records records(shape.size(), weighted);
  std::vector<Index> index(shape.size());
  for (std::size_t e = 0; e < entries; ++e) {
    for (std::size_t k = 0; k < shape.size(); ++k) index[k] = static_cast<Index>(rng() % shape[k]);
    records.append(index.data(), 1 + static_cast<double>(rng() % 5), 1.0);
  }
  return SparseTensor(IndexSpace(shape), std::move(records));
}

TEST(ExactGradient, OfSparseTensorsInSeveralPartsAndRanks) {
  const Tensor tensor = many_counts({300, 24, 20}, 140000, false);
  for (const std::size_t rank : {1, 4, 10, 17}) expect_exact(tensor, "poisson", rank);
  expect_exact(many_counts({5, 6, 7, 8, 9}, 3000, false), "gaussian", 3);
  expect_exact(many_counts({50, 40}, 800, false), "poisson", 3);
  expect_exact(many_counts({4000}, 800, false), "poisson", 3);
}

TEST(ExactGradient, RefusesToVisitTooManyZeros) {
  const Tensor vast = many_counts({4000, 3000, 2000}, 50, false);
  try {
    const ExactGradient evaluate(vast, parse_loss("bernoulli-odds"));
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::usage);
    EXPECT_NE(std::string(e.what()).find("24,000,000,000 cells"), std::string::npos) << e.what();
  }
  EXPECT_NO_THROW(ExactGradient(vast, parse_loss("poisson")));
}

// y = w x instead of a derivative: a loss whose derivative that is.
Factors expected_mttkrp(const Tensor& tensor, const Factors& model) {
  Batch all = exhaustive_batch(tensor);
  Factors product(model.extents(), model.rank());
  for (std::size_t t = 0; t < all.size(); ++t) {
    for (std::size_t k = 0; k < model.modes(); ++k) {
      for (std::size_t j = 0; j < model.rank(); ++j) {
        double others = all.w[t] * all.x[t];
        for (std::size_t l = 0; l < model.modes(); ++l) {
          if (l != k) others *= model.at(l, all.index[l][t], j);
        }
        product.at(k, all.index[k][t], j) += others;
      }
    }
  }
  return product;
}

TEST(Mttkrp, DenseAndSparseEqualTheDefinition) {
  std::mt19937_64 rng(5);
  for (const auto& shape : std::vector<std::vector<std::uint64_t>>{{6, 5, 300}, {4, 3, 2, 5}, {30, 20, 10, 40}}) {
    const Tensor tensor = dense(shape, false, false);
    const Factors model = naive::random_factors(shape, 6, rng);
    const Factors expected = expected_mttkrp(tensor, model);
    Factors out(shape, 6);
    const auto source = make_cell_source(tensor);
    for (std::size_t k = 0; k < shape.size(); ++k) dense_mttkrp(model, *source, k, 2, out);
    EXPECT_LE(distance(out, expected), 1e-12 * frobenius_norm(expected));
  }
  for (const auto& [name, tensor] : every_case()) {
    if (tensor.dense() != nullptr) continue;
    const Factors model = naive::random_factors(extents_of(tensor), 5, rng);
    const Factors expected = expected_mttkrp(tensor, model);
    Factors out(model.extents(), 5);
    const ListedCells listed = listed_cells(tensor);
    for (std::size_t k = 0; k < model.modes(); ++k) {
      sparse_mttkrp(model, in_order_of(listed, k, model.rows(k)), 2, out);
    }
    EXPECT_LE(distance(out, expected), 1e-12 * frobenius_norm(expected)) << name;
  }
}

TEST(ListedCells, KeepRowsTogetherAndLoseNothing) {
  const Tensor tensor = many_counts({30, 200, 10}, 5000, false);
  const ListedCells first = listed_cells(tensor);
  EXPECT_EQ(first.mode, 1u);
  EXPECT_FALSE(first.corrected);
  for (std::size_t k = 0; k < 3; ++k) {
    const ListedCells cells = in_order_of(first, k, tensor.space().extent(k));
    ASSERT_EQ(cells.size(), tensor.sparse()->listed());
    for (std::size_t i = 0; i + 1 < cells.row_begin.size(); ++i) {
      for (std::size_t t = cells.row_begin[i]; t < cells.row_begin[i + 1]; ++t) {
        ASSERT_EQ(cells.index[k][t], i);
        const Index index[3] = {cells.index[0][t], cells.index[1][t], cells.index[2][t]};
        const auto record = tensor.sparse()->find(index);
        ASSERT_NE(record, CellSet::absent);
        ASSERT_EQ(cells.x[t], tensor.sparse()->records().value(record));
      }
    }
    const auto parts = whole_row_pieces(cells, 7);
    EXPECT_EQ(parts.front(), 0u);
    EXPECT_EQ(parts.back(), tensor.space().extent(k));
    EXPECT_LE(parts.size(), 8u);
    EXPECT_TRUE(std::ranges::is_sorted(parts));
  }
}

}  // namespace
}  // namespace polyad
