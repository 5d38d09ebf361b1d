// The density that follows the model: its sums against plain loops on every instruction set, its total over all cells, and what
// is drawn against what is said to be.

#include <polyad/base/simd_target.hpp>
#include <polyad/sample/importance/cell_sums.hpp>
#include <polyad/sample/importance/leave_one_out.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <each_simd_target.hpp>
#include <map>

namespace polyad {
namespace {

Factors some_factors(const std::vector<std::uint64_t>& extents, std::size_t rank, std::uint64_t seed) {
  Generator random(RandomStream(seed, Purpose::problem));
  Factors factors(extents, rank);
  for (std::size_t k = 0; k < extents.size(); ++k) {
    for (std::size_t i = 0; i < extents[k]; ++i) {
      for (std::size_t j = 0; j < rank; ++j) factors.at(k, i, j) = std::pow(random.unit(), 3) - 0.1;
    }
  }
  return factors;
}

Batch every_cell(const Box& box) {
  Batch batch;
  batch.resize(box.modes(), static_cast<std::size_t>(box.cells()), false);
  std::size_t t = 0;
  for_each_cell(box, [&](const Index* index) {
    for (std::size_t k = 0; k < box.modes(); ++k) batch.index[k][t] = index[k];
    ++t;
  });
  return batch;
}

// The product of all rows but that of mode k.
double z(const Factors& a, const Batch& cells, std::size_t t, std::size_t k, std::size_t j) {
  double product = 1;
  for (std::size_t l = 0; l < a.modes(); ++l) {
    if (l != k) product *= a.at(l, cells.index[l][t], j);
  }
  return product;
}

TEST(CellSums, AgreeWithPlainLoopsOnEveryInstructionSet) {
  testing::for_each_simd_target([](SimdTarget) {
    for (const auto& extents : std::vector<std::vector<std::uint64_t>>{
             {4, 5}, {3, 4, 2}, {2, 3, 2, 3}, {2, 2, 2, 2, 2}, {2, 1, 2, 2, 1, 2}, {2, 2, 1, 1, 2, 1, 2}}) {
      for (const std::size_t rank : {1, 4, 5, 9, 16, 19}) {
        const Factors a = some_factors(extents, rank, rank);
        const Batch cells = every_cell(Box::whole(IndexSpace(extents)));
        std::vector<double> coefficients(a.modes() * a.stride(), 0.0);
        for (std::size_t k = 0; k < a.modes(); ++k) {
          for (std::size_t j = 0; j < rank; ++j) coefficients[k * a.stride() + j] = 1 + static_cast<double>(k + 3 * j);
        }
        const CellSums sums = cell_sums(a.modes(), a.stride());
        std::vector<double> m(cells.size());
        std::vector<double> squares(cells.size());
        std::vector<double> density(cells.size());
        sums.sizes(CellRows(a, cells), 0, 1, m.data(), squares.data());
        sums.sizes(CellRows(a, cells), 1, cells.size() - 1, m.data() + 1, squares.data() + 1);
        sums.density(CellRows(a, cells), coefficients.data(), 0, cells.size(), density.data());
        for (std::size_t t = 0; t < cells.size(); ++t) {
          double value = 0;
          double square = 0;
          double weighted = 0;
          for (std::size_t j = 0; j < rank; ++j) {
            value += z(a, cells, t, a.modes(), j);
            for (std::size_t k = 0; k < a.modes(); ++k) {
              square += std::pow(z(a, cells, t, k, j), 2);
              weighted += coefficients[k * a.stride() + j] * z(a, cells, t, k, j);
            }
          }
          ASSERT_NEAR(m[t], value, 1e-12);
          ASSERT_NEAR(squares[t], square, 1e-12);
          ASSERT_NEAR(density[t], weighted, 1e-10);
        }
      }
    }
  });
}

std::vector<PartCount> parts_of(const IndexSpace& space, std::size_t mode, const std::vector<Index>& bounds) {
  std::vector<PartCount> parts;
  for (std::size_t l = 0; l + 1 < bounds.size(); ++l) {
    PartCount part;
    part.box = Box::whole(space);
    part.box.low[mode] = bounds[l];
    part.box.extent[mode] = bounds[l + 1] - bounds[l];
    parts.push_back(part);
  }
  return parts;
}

std::vector<double> densities(const LeaveOneOut& density, std::size_t part, const Batch& cells) {
  std::vector<double> q(cells.size());
  density.densities(part, cells, 0, cells.size(), q.data());
  return q;
}

TEST(LeaveOneOut, DensitiesSumToOneInEveryPart) {
  for (const auto& extents : std::vector<std::vector<std::uint64_t>>{{9}, {4, 7}, {3, 1, 8, 2}}) {
    const IndexSpace space(extents);
    const std::size_t mode =
        static_cast<std::size_t>(std::max_element(extents.begin(), extents.end()) - extents.begin());
    const auto parts = parts_of(space, mode, {0, 2, 3, static_cast<Index>(extents[mode])});
    const Factors model = some_factors(extents, 3, 5);
    const LeaveOneOut density(model, mode, parts, 0.2, 1);
    for (std::size_t l = 0; l < parts.size(); ++l) {
      const Batch cells = every_cell(parts[l].box);
      double sum = 0;
      for (const double q : densities(density, l, cells)) {
        sum += q;
        EXPECT_GT(q, 0.19 / parts[l].box.cells());
      }
      EXPECT_NEAR(sum, 1, 1e-12);
    }
  }
}

// Up to the uniform share and the rounding of tables, q is proportional to sum_k sum_j z_k(j) of absolute values, across parts too.
TEST(LeaveOneOut, IsTheMixtureOfTheFormula) {
  const std::vector<std::uint64_t> extents = {4, 6, 3};
  const auto parts = parts_of(IndexSpace(extents), 1, {0, 4, 6});
  Factors model = some_factors(extents, 3, 6);
  const LeaveOneOut density(model, 1, parts, 0.25, 1);
  for (double& a : model.flat()) a = std::abs(a);
  std::vector<double> total(parts.size(), 0.0);
  for (std::size_t l = 0; l < parts.size(); ++l) {
    const Batch cells = every_cell(parts[l].box);
    std::vector<double> expected(cells.size(), 0.0);
    for (std::size_t t = 0; t < cells.size(); ++t) {
      for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t j = 0; j < 3; ++j) expected[t] += z(model, cells, t, k, j);
      }
      total[l] += expected[t];
    }
    const std::vector<double> q = densities(density, l, cells);
    for (std::size_t t = 0; t < cells.size(); ++t) {
      EXPECT_NEAR(q[t], 0.25 / parts[l].box.cells() + 0.75 * expected[t] / total[l], 1e-8);
    }
  }
  EXPECT_NEAR(density.mass(0) / density.mass(1), total[0] / total[1], 1e-9);
}

TEST(LeaveOneOut, DrawsWhatItSays) {
  const std::vector<std::uint64_t> extents = {4, 6, 3};
  const auto parts = parts_of(IndexSpace(extents), 1, {0, 4, 6});
  const LeaveOneOut density(some_factors(extents, 3, 7), 1, parts, 0.1, 1);
  const RandomStream stream(3, Purpose::gradient);
  for (std::uint32_t l = 0; l < 2; ++l) {
    const Batch cells = every_cell(parts[l].box);
    const std::vector<double> q = densities(density, l, cells);
    std::map<std::vector<Index>, double> counts;
    constexpr std::size_t n = 200'000;
    Batch batch;
    batch.resize(3, n + 5, false);
    density.draw({stream, 9, l}, 5, n, batch);
    for (std::size_t t = 5; t < n + 5; ++t) counts[{batch.index[0][t], batch.index[1][t], batch.index[2][t]}] += 1;
    std::size_t found = 0;
    for (std::size_t t = 0; t < cells.size(); ++t) {
      const double count = counts[{cells.index[0][t], cells.index[1][t], cells.index[2][t]}];
      EXPECT_NEAR(count, n * q[t], 5 * std::sqrt(n * q[t]) + 1);
      found += static_cast<std::size_t>(count);
    }
    EXPECT_EQ(found, n) << "cells outside the part";
  }
}

TEST(LeaveOneOut, DoesNotDependOnThreads) {
  const std::vector<std::uint64_t> extents = {3000, 800, 5};
  const auto parts = parts_of(IndexSpace(extents), 0, {0, 1000, 3000});
  const Factors model = some_factors(extents, 6, 8);
  const LeaveOneOut one(model, 0, parts, 0.1, 1);
  const LeaveOneOut three(model, 0, parts, 0.1, 3);
  const RandomStream stream(3, Purpose::gradient);
  Batch a;
  Batch b;
  a.resize(3, 1000, false);
  b.resize(3, 1000, false);
  one.draw({stream, 2, 1}, 0, 1000, a);
  three.draw({stream, 2, 1}, 0, 1000, b);
  EXPECT_EQ(a.index, b.index);
  EXPECT_EQ(densities(one, 1, a), densities(three, 1, a));
}

}  // namespace
}  // namespace polyad
