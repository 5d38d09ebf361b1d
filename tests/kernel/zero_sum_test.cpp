// Closed forms over all zeros against the sum over every cell.

#include <polyad/error.hpp>
#include <polyad/kernel/batch_objective.hpp>
#include <polyad/kernel/zero_sum.hpp>
#include <polyad/loss.hpp>

#include "kernel/naive.hpp"

#include <gtest/gtest.h>

namespace polyad {
namespace {

Batch every_cell_as_zero(const std::vector<std::uint64_t>& extents) {
  std::size_t cells = 1;
  for (const auto n : extents) cells *= n;
  Batch batch;
  batch.resize(extents.size(), cells, false);
  for (std::size_t t = 0; t < cells; ++t) {
    std::size_t rest = t;
    for (std::size_t k = 0; k < extents.size(); ++k) {
      batch.index[k][t] = static_cast<Index>(rest % extents[k]);
      rest /= extents[k];
    }
    batch.x[t] = 0;
    batch.w[t] = 1;
  }
  return batch;
}

TEST(ZeroSum, EqualsTheSumOverAllCellsForEveryLossThatClaimsOne) {
  std::mt19937_64 rng(3);
  const std::vector<std::uint64_t> extents = {4, 3, 5, 2};
  const Batch cells = every_cell_as_zero(extents);
  int tried = 0;
  for (const Loss& loss : all_losses()) {
    const ZeroSum form = loss.info().zero_sum;
    if (form == ZeroSum::none) continue;
    ++tried;
    for (const std::size_t rank : {1, 3, 6}) {
      const Factors model = naive::random_factors(extents, rank, rng);
      const double f = naive::objective(model, cells, loss);
      EXPECT_NEAR(zero_sum(model, form), f, 1e-12 * std::abs(f)) << loss.name();

      Factors gradient(extents, rank);
      add_zero_sum_gradient(model, form, 2.5, gradient);
      const Factors expected = naive::gradient(model, cells, loss);
      for (std::size_t at = 0; at < expected.flat().size(); ++at) {
        ASSERT_NEAR(gradient.flat()[at], 2.5 * expected.flat()[at], 1e-11 * (1 + std::abs(expected.flat()[at])))
            << loss.name() << " rank " << rank;
      }
    }
  }
  EXPECT_EQ(tried, 2) << "poisson and gaussian have closed forms";
}

TEST(ZeroSum, IsAddedToABatchThatAsksForIt) {
  std::mt19937_64 rng(4);
  const std::vector<std::uint64_t> extents = {4, 3, 5};
  const Loss loss = parse_loss("gaussian");
  const Factors model = naive::random_factors(extents, 3, rng);
  Batch batch = naive::random_batch(extents, 20, true, rng);
  Factors without(extents, 3);
  sampled_gradient(model, batch, loss, without);
  add_zero_sum_gradient(model, ZeroSum::quadratic, 0.3, without);
  batch.all_cells = 0.3;
  Factors with(extents, 3);
  sampled_gradient(model, batch, loss, with);
  EXPECT_EQ(with, without);
}

TEST(ZeroSum, IsRefusedWhereThereIsNone) {
  EXPECT_THROW(zero_sum(Factors({2, 2}, 1), ZeroSum::none), Error);
}

}  // namespace
}  // namespace polyad
