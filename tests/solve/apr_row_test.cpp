// Row subproblems: convex, so every update must reach the same minimum and satisfy its optimality conditions.

#include <polyad/fields.hpp>
#include <polyad/loss.hpp>
#include <polyad/solve/apr_row.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace polyad {
namespace {

struct RowCase {
  Factors model;
  ListedCells cells;
  std::vector<double> s;

  // One row (mode 0 has extent 1) whose products are the rows of mode 1; some of them vanish.
  RowCase(std::size_t entries, std::size_t rank, std::uint64_t seed, double largest)
      : model({1, entries}, rank), s(model.stride(), 0.0) {
    std::mt19937_64 rng(seed);
    std::uniform_real_distribution<double> unit(0, 1);
    Records records(2);
    for (Index i = 0; i < entries; ++i) {
      const Index index[2] = {0, i};
      records.append(index, 1 + std::floor(largest * unit(rng)));
      for (std::size_t j = 0; j < rank; ++j) model.at(1, i, j) = rng() % 3 == 0 ? 0.0 : unit(rng);
      model.at(1, i, i % rank) += 0.01;
    }
    const Tensor tensor = SparseTensor(IndexSpace({1, entries}), std::move(records));
    cells = in_order_of(listed_cells(tensor), 0, 1);
    for (std::size_t j = 0; j < rank; ++j) {
      for (Index i = 0; i < entries; ++i) s[j] += model.at(1, i, j);
    }
  }

  AprRowResult solve(AprUpdate update, std::size_t iterations, double tolerance, AlignedVector<double>& b) const {
    RowProducts products(cells, model);
    products.choose(0);
    AprRow row(products, cells, model.rank(), model.stride(), {update, iterations, tolerance});
    return row.solve(s.data(), b.data(), true);
  }

  double f(const AlignedVector<double>& b) const {
    double sum = 0;
    for (std::size_t j = 0; j < model.rank(); ++j) sum += s[j] * b[j];
    for (std::size_t t = 0; t < cells.size(); ++t) {
      double m = 0;
      for (std::size_t j = 0; j < model.rank(); ++j) m += model.at(1, cells.index[1][t], j) * b[j];
      sum -= cells.x[t] * std::log(m + loss_epsilon);
    }
    return sum;
  }

  double violation(const AlignedVector<double>& b) const {
    double worst = 0;
    for (std::size_t j = 0; j < model.rank(); ++j) {
      double g = s[j];
      for (std::size_t t = 0; t < cells.size(); ++t) {
        double m = 0;
        for (std::size_t l = 0; l < model.rank(); ++l) m += model.at(1, cells.index[1][t], l) * b[l];
        g -= cells.x[t] * model.at(1, cells.index[1][t], j) / (m + loss_epsilon);
      }
      worst = std::max(worst, std::abs(std::min(b[j], g)));
    }
    return worst;
  }
};

TEST(AprRow, NewtonMethodsReachTheOptimumAndItIsThatOfMultiplicativeUpdates) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    for (const std::size_t entries : {3, 40, 5000}) {
      const RowCase row(entries, 5, seed, 6);
      AlignedVector<double> newton(row.model.stride(), 0.0), quasi = newton, multiplied = newton;
      for (std::size_t j = 0; j < 5; ++j) newton[j] = quasi[j] = multiplied[j] = 0.5;
      const double before = row.f(newton);
      row.solve(AprUpdate::pdnr, 200, 1e-6, newton);
      row.solve(AprUpdate::pqnr, 1000, 1e-6, quasi);
      row.solve(AprUpdate::mu, 20000, 1e-5, multiplied);
      EXPECT_LE(row.violation(newton), 1e-4) << "seed " << seed << ", " << entries << " entries";
      EXPECT_LE(row.violation(quasi), 1e-4) << "seed " << seed << ", " << entries << " entries";
      const double least = row.f(newton);
      EXPECT_LT(least, before);
      EXPECT_NEAR(row.f(quasi), least, 1e-7 * (1 + std::abs(least)));
      EXPECT_NEAR(row.f(multiplied), least, 1e-4 * (1 + std::abs(least)));
      for (std::size_t j = 0; j < 5; ++j) EXPECT_GE(std::min(newton[j], quasi[j]), 0);
    }
  }
}

TEST(AprRow, ReportsItsValueAndTheViolationOnArrival) {
  const RowCase row(30, 3, 4, 5);
  for (const AprUpdate update : {AprUpdate::mu, AprUpdate::pdnr, AprUpdate::pqnr}) {
    AlignedVector<double> b(row.model.stride(), 0.0);
    for (std::size_t j = 0; j < 3; ++j) b[j] = 1;
    const double violation = row.violation(b);
    const AprRowResult result = row.solve(update, 4, 1e-8, b);
    EXPECT_NEAR(result.violation, violation, 1e-10 * violation);
    EXPECT_NEAR(result.f, row.f(b), 1e-10 * std::abs(result.f));
  }
}

TEST(AprRow, NeverRisesFromAnyStartHoweverExtreme) {
  for (const AprUpdate update : {AprUpdate::mu, AprUpdate::pdnr, AprUpdate::pqnr}) {
    for (const double start : {1e-300, 1e-12, 1.0, 1e6, 1e12}) {
      const RowCase row(60, 4, 9, 1e4);
      AlignedVector<double> b(row.model.stride(), 0.0);
      for (std::size_t j = 0; j < 4; ++j) b[j] = start;
      double last = row.f(b);
      for (int visit = 0; visit < 60; ++visit) {
        row.solve(update, 1, 1e-9, b);
        const double now = row.f(b);
        ASSERT_TRUE(std::isfinite(now)) << word_of(update) << " from " << start;
        ASSERT_LE(now, last + 1e-9 * std::abs(last)) << word_of(update) << " from " << start << ", visit " << visit;
        last = now;
      }
      EXPECT_LE(row.violation(b), update == AprUpdate::mu ? 20.0 : 1e-2) << word_of(update) << " from " << start;
    }
  }
}

TEST(AprRow, FreesInadmissibleZeros) {
  for (const AprUpdate update : {AprUpdate::mu, AprUpdate::pdnr, AprUpdate::pqnr}) {
    const RowCase row(40, 4, 2, 5);
    AlignedVector<double> b(row.model.stride(), 0.0);  // all zero, although every cell is positive
    row.solve(update, 5000, 1e-6, b);
    EXPECT_LE(row.violation(b), 1e-4) << word_of(update);
  }
}

TEST(AprRow, WithoutCellsIsZero) {
  const RowCase row(3, 2, 1, 1);
  ListedCells none = row.cells;
  none.row_begin = {0, 0};
  RowProducts products(none, row.model);
  products.choose(0);
  AprRow solver(products, none, 2, row.model.stride(), {});
  AlignedVector<double> b(row.model.stride(), 0.0);
  b[0] = 3;
  b[1] = 0.1;
  const AprRowResult result = solver.solve(row.s.data(), b.data(), true);
  EXPECT_EQ(b[0], 0);
  EXPECT_EQ(b[1], 0);
  EXPECT_EQ(result.f, 0);
  EXPECT_NEAR(result.violation, std::max(std::min(3.0, row.s[0]), std::min(0.1, row.s[1])), 1e-15);
}

}  // namespace
}  // namespace polyad
