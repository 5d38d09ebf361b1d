// The exact objective, by closed forms or enumeration, against the exhaustive batch: weights, masks, both kinds of unlisted.

#include <polyad/kernel/batch_objective.hpp>
#include <polyad/kernel/exact_objective.hpp>
#include <polyad/loss.hpp>
#include <polyad/loss/all.hpp>
#include <polyad/sample/sampler.hpp>

#include "kernel/naive.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace polyad {
namespace {

const std::vector<std::uint64_t> small_shape = {7, 5, 6};

// About `share` of all cells, each at most once, with values lowest .. lowest + 3.
Records some_cells(std::mt19937_64& rng, double share, double lowest) {
  Records records(small_shape.size());
  for (Index i = 0; i < small_shape[0]; ++i) {
    for (Index j = 0; j < small_shape[1]; ++j) {
      for (Index l = 0; l < small_shape[2]; ++l) {
        const Index index[3] = {i, j, l};
        const double value = lowest + static_cast<double>(rng() % 4);
        if (static_cast<double>(rng() % 1000) < 1000 * share) records.append(index, value);
      }
    }
  }
  return records;
}

void expect_exact(const Tensor& tensor, const std::string& what) {
  std::mt19937_64 rng(11);
  const Factors model = naive::random_factors(small_shape, 4, rng);
  for (const char* name : {"poisson", "gaussian", "negative-binomial"}) {
    const Loss loss = parse_loss(name);
    const double f = estimate(model, exhaustive_batch(tensor), loss);
    const auto exact = exact_objective(model, tensor, loss, 1e6, 2);
    ASSERT_TRUE(exact.has_value());
    EXPECT_NEAR(*exact, f, 1e-12 * std::abs(f)) << what << " " << name;
    EXPECT_FALSE(exact_objective(model, tensor, loss, 1, 2).has_value()) << "one cell is not enough";
  }
}

TEST(ExactObjective, OfSparseTensors) {
  std::mt19937_64 rng(1);
  const IndexSpace space(small_shape);
  SparseTensor plain(space, some_cells(rng, 0.3, 1));
  expect_exact(plain, "plain");

  SparseTensor light_zeros = plain;
  light_zeros.set_zero_weight(0.1);
  expect_exact(light_zeros, "light zeros");

  SparseTensor masked = plain;
  masked.set_missing(some_cells(rng, 0.2, 1));
  expect_exact(masked, "masked");

  SparseTensor weighted = plain;
  weighted.set_weights(some_cells(rng, 0.25, 0));
  weighted.set_zero_weight(0.5);
  expect_exact(weighted, "weighted");

  expect_exact(SparseTensor(space, some_cells(rng, 0.3, 0), Unlisted::missing), "unlisted missing");
}

TEST(ExactObjective, OfDenseTensorsWithMissingCellsAndWeights) {
  std::mt19937_64 rng(2);
  const IndexSpace space(small_shape);
  AlignedVector<double> values(7 * 5 * 6);
  AlignedVector<double> weights(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = rng() % 5 == 0 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(rng() % 6);
    weights[i] = static_cast<double>(rng() % 3);
  }
  DenseTensor dense(space, values);
  expect_exact(dense, "missing");
  dense.set_weights(weights);
  expect_exact(dense, "missing and weights");
}

}  // namespace
}  // namespace polyad
