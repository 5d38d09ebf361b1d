// The vectorised pieces one by one, for row lengths and numbers of modes on both sides of every special case.

#include <polyad/kernel/listed_blocks.hpp>
#include <polyad/model.hpp>

#include "naive.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace polyad {
namespace {

TEST(CellBlocks, EqualTheirDefinitions) {
  std::mt19937_64 rng(11);
  for (std::size_t modes = 1; modes <= 6; ++modes) {
    for (const std::size_t rank : {1, 4, 7, 10, 16, 17, 33}) {
      std::vector<std::uint64_t> extents(modes, 3);
      const Factors model = naive::random_factors(extents, rank, rng);
      Batch batch = naive::random_batch(extents, 50, false, rng);
      std::ranges::sort(batch.index[0]);
      Factors gradient(extents, rank);
      const CellRows rows(model, batch, gradient);
      AlignedVector<double> m(50), y(50), pi(50 * model.stride());
      cell_model(rows, 50, m.data());
      for (std::size_t t = 0; t < 50; ++t) {
        ASSERT_NEAR(m[t], naive::model_value(model, batch, t), 1e-13 * (1 + m[t])) << modes << " modes, rank " << rank;
        y[t] = std::sin(static_cast<double>(t));
      }
      cell_products(rows, 50, pi.data());
      cell_scatter(rows, 50, y.data());

      Factors expected(extents, rank);
      for (std::size_t t = 0; t < 50; ++t) {
        for (std::size_t k = 0; k < modes; ++k) {
          for (std::size_t j = 0; j < rank; ++j) {
            double others = 1;
            for (std::size_t l = 0; l < modes; ++l) {
              if (l != k) others *= model.at(l, batch.index[l][t], j);
            }
            expected.at(k, batch.index[k][t], j) += y[t] * others;
            if (k == 0) {
              ASSERT_NEAR(pi[t * model.stride() + j], others, 1e-14);
            }
          }
        }
      }
      for (std::size_t k = 0; k < modes; ++k) {
        for (std::size_t i = 0; i < 3; ++i) {
          for (std::size_t j = 0; j < rank; ++j) {
            ASSERT_NEAR(gradient.at(k, i, j), expected.at(k, i, j), 1e-11) << modes << " modes, rank " << rank;
          }
        }
      }
    }
  }
}

TEST(CellBlocks, RowSumsDotsAndSquares) {
  std::mt19937_64 rng(13);
  std::uniform_real_distribution<double> number(-1, 1);
  for (const std::size_t rank : {1, 3, 8, 10, 19}) {
    const std::size_t stride = row_stride(rank);
    for (const std::size_t count : {1, 2, 7, 64}) {
      AlignedVector<double> pi(count * stride, 0.0), b(stride, 0.0), v(count), m(count), sums(stride, 0.0),
          square(stride * stride, 0.0);
      for (std::size_t t = 0; t < count; ++t) {
        v[t] = number(rng);
        for (std::size_t j = 0; j < rank; ++j) pi[t * stride + j] = number(rng);
      }
      for (std::size_t j = 0; j < rank; ++j) b[j] = number(rng);
      row_dots(pi.data(), stride, count, b.data(), m.data());
      row_sums(pi.data(), stride, count, v.data(), sums.data());
      row_squares(pi.data(), stride, count, v.data(), square.data());
      for (std::size_t t = 0; t < count; ++t) {
        double dot = 0;
        for (std::size_t j = 0; j < rank; ++j) dot += pi[t * stride + j] * b[j];
        ASSERT_NEAR(m[t], dot, 1e-13);
      }
      for (std::size_t p = 0; p < rank; ++p) {
        double sum = 0;
        for (std::size_t t = 0; t < count; ++t) sum += v[t] * pi[t * stride + p];
        ASSERT_NEAR(sums[p], sum, 1e-13);
        for (std::size_t q = p; q < rank; ++q) {
          double product = 0;
          for (std::size_t t = 0; t < count; ++t) product += v[t] * pi[t * stride + p] * pi[t * stride + q];
          ASSERT_NEAR(square[p * stride + q], product, 1e-13);
        }
      }
    }
  }
}

TEST(CellBlocks, PoissonPieces) {
  for (const std::size_t count : {1, 3, 4, 63, 64}) {
    AlignedVector<double> x(count), m(count), v(count);
    double expected = 0;
    for (std::size_t t = 0; t < count; ++t) {
      x[t] = static_cast<double>(t % 4);
      m[t] = t % 7 == 0 ? 0.0 : std::exp(static_cast<double>(t) - 20);
      expected += x[t] * std::log(m[t] + loss_epsilon);
    }
    EXPECT_NEAR(log_sum(count, x.data(), m.data()), expected, 1e-13 * std::abs(expected));
    ratios(count, x.data(), m.data(), v.data());
    for (std::size_t t = 0; t < count; ++t) EXPECT_DOUBLE_EQ(v[t], x[t] / (m[t] + loss_epsilon));
  }
}

}  // namespace
}  // namespace polyad
