// Every specialisation of the block kernels (row length x number of modes) against the definition.

#include <polyad/base/simd_target.hpp>
#include <polyad/kernel/batch_objective.hpp>
#include <polyad/loss.hpp>
#include <polyad/loss/all.hpp>

#include "each_simd_target.hpp"
#include "kernel/naive.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace polyad {
namespace {

struct Shape {
  std::size_t modes;
  std::size_t rank;
};

class KernelShapes : public ::testing::TestWithParam<Shape> {};

double norm_of(const Factors& a) {
  double largest = 1;
  for (const double v : a.flat()) largest = std::max(largest, std::abs(v));
  return largest;
}

// `tolerance` is relative to each entry where it is large, absolute where small.
void expect_near(const Factors& ours, const Factors& expected, double tolerance) {
  for (std::size_t at = 0; at < expected.flat().size(); ++at) {
    ASSERT_NEAR(ours.flat()[at], expected.flat()[at], tolerance * (1 + std::abs(expected.flat()[at])))
        << "position " << at;
  }
}

TEST_P(KernelShapes, GradientAndEstimateFollowTheDefinition) {
  const auto [modes, rank] = GetParam();
  std::mt19937_64 rng(modes * 1000 + rank);
  std::vector<std::uint64_t> extents;
  for (std::size_t k = 0; k < modes; ++k) extents.push_back(2 + (k * 3) % 5);
  const Loss loss = parse_loss("poisson");
  for (const std::size_t samples : {1, 63, 64, 65, 200}) {
    for (const bool with_w0 : {false, true}) {
      const Factors model = naive::random_factors(extents, rank, rng);
      Batch batch = naive::random_batch(extents, samples, with_w0, rng);
      // Some samples at the end are zeros, and known to be.
      batch.zeros_from = samples - samples / 3;
      for (std::size_t t = batch.zeros_from; t < samples; ++t) {
        batch.x[t] = 0;
        if (with_w0) batch.w0[t] = 0;
      }
      const Factors expected = naive::gradient(model, batch, loss);
      const double f = naive::objective(model, batch, loss);
      const auto old_contents = naive::random_factors(extents, rank, rng);  // must not matter
      testing::for_each_simd_target([&](SimdTarget) {
        Factors gradient = old_contents;
        sampled_gradient(model, batch, loss, gradient);
        expect_near(gradient, expected, 1e-11);
        EXPECT_NEAR(estimate(model, batch, loss), f, 1e-11 * (1 + std::abs(f)));

        auto single = converted<float>(old_contents);
        const auto single_model = converted<float>(model);
        sampled_gradient(single_model, batch, loss, single);
        expect_near(converted<double>(single), expected, 3e-5 * norm_of(expected));
        EXPECT_NEAR(estimate(single_model, batch, loss), f, 1e-4 * (1 + std::abs(f)));
      });
    }
  }
}

std::vector<Shape> every_specialisation() {
  std::vector<Shape> shapes;
  for (std::size_t modes = 1; modes <= 8; ++modes) {
    for (const std::size_t rank : {1, 2, 3, 4, 5, 8, 10, 13, 16, 20, 24, 28, 31, 33, 40, 64, 65, 100}) {
      shapes.push_back({modes, rank});
    }
  }
  return shapes;
}

INSTANTIATE_TEST_SUITE_P(RankAndModes, KernelShapes, ::testing::ValuesIn(every_specialisation()),
                         [](const auto& shape) {
                           return "modes" + std::to_string(shape.param.modes) + "_rank" +
                                  std::to_string(shape.param.rank);
                         });

TEST(Estimate, IsBitwiseTheSameForAnyNumberOfThreads) {
  std::mt19937_64 rng(5);
  const std::vector<std::uint64_t> extents = {50, 40, 30};
  const Factors model = naive::random_factors(extents, 7, rng);
  const Batch batch = naive::random_batch(extents, 100'001, true, rng);
  const Loss loss = parse_loss("bernoulli-odds");
  const double one = estimate(model, batch, loss, 1);
  EXPECT_EQ(one, estimate(model, batch, loss, 2));
  EXPECT_EQ(one, estimate(model, batch, loss, 4));
}

TEST(Estimate, OfAnEmptyBatchIsZero) {
  std::mt19937_64 rng(5);
  Batch batch;
  batch.resize(2, 0, false);
  EXPECT_EQ(estimate(naive::random_factors({2, 3}, 2, rng), batch, parse_loss("gaussian")), 0.0);
}

}  // namespace
}  // namespace polyad
