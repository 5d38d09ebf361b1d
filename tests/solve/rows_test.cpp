// Row problems of every loss: within bounds, against brute force, definitions cell by cell, and each other.

#include <polyad/loss/all.hpp>
#include <polyad/solve/rows/solve_mode.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace polyad {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double quadratic(const std::vector<double>& h, const std::vector<double>& g, const std::vector<double>& d) {
  const std::size_t r = g.size();
  double sum = 0;
  for (std::size_t p = 0; p < r; ++p) {
    sum += g[p] * d[p];
    for (std::size_t q = 0; q < r; ++q) sum += 0.5 * d[p] * h[p * r + q] * d[q];
  }
  return sum;
}

TEST(BoundedQuadratic, IsAsLowAsAnyPointOfAFineSearch) {
  std::mt19937_64 rng(3);
  std::normal_distribution<double> normal;
  for (int round = 0; round < 200; ++round) {
    const std::size_t r = 1 + static_cast<std::size_t>(round) % 5;
    std::vector<double> root(r * r), h(r * r, 0.0), g(r), low(r), high(r), d(r);
    for (double& v : root) v = normal(rng);
    for (std::size_t p = 0; p < r; ++p) {
      for (std::size_t q = 0; q < r; ++q) {
        for (std::size_t t = 0; t < r; ++t) h[p * r + q] += root[p * r + t] * root[q * r + t];
      }
      h[p * r + p] += 0.01;
      g[p] = 3 * normal(rng);
      low[p] = round % 3 == 0 ? -infinity : -std::abs(normal(rng));
      high[p] = round % 4 == 0 ? infinity : std::abs(normal(rng));
    }
    BoundedQuadratic solver(r);
    ASSERT_TRUE(solver.minimise(h.data(), r, g.data(), low.data(), high.data(), d.data()));
    // The conditions of a minimum, which are sufficient for a convex function.
    for (std::size_t p = 0; p < r; ++p) {
      double slope = g[p];
      for (std::size_t q = 0; q < r; ++q) slope += h[p * r + q] * d[q];
      EXPECT_GE(d[p], low[p]);
      EXPECT_LE(d[p], high[p]);
      EXPECT_TRUE(d[p] == low[p] || slope <= 1e-9) << round;
      EXPECT_TRUE(d[p] == high[p] || slope >= -1e-9) << round;
    }
    const double least = quadratic(h, g, d);
    for (int trial = 0; trial < 50; ++trial) {
      std::vector<double> other = d;
      for (std::size_t p = 0; p < r; ++p) other[p] = std::clamp(d[p] + 0.3 * normal(rng), low[p], high[p]);
      EXPECT_GE(quadratic(h, g, other), least - 1e-9 * (1 + std::abs(least)));
    }
  }
}

TEST(BoundedQuadratic, SaysWhereTheMatrixIsNotDefinite) {
  const std::vector<double> h = {1, 2, 2, 1}, g = {1, 1}, low = {-infinity, -infinity}, high = {infinity, infinity};
  std::vector<double> d(2);
  BoundedQuadratic solver(2);
  EXPECT_FALSE(solver.minimise(h.data(), 2, g.data(), low.data(), high.data(), d.data()));
}

// A model, data that its loss allows, and the objective of a row by its definition.
struct Case {
  std::vector<std::uint64_t> extents = {4, 6, 5};
  std::size_t rank = 3;
  Loss loss;
  Factors model;
  std::vector<double> x, w;  // all cells; weight 0: missing

  Case(const Loss& l, unsigned seed, bool sparse, bool weighted) : loss(l), model(extents, rank), x(120), w(120, 1.0) {
    std::mt19937_64 rng(seed);
    std::uniform_real_distribution<double> unit(0, 1);
    std::normal_distribution<double> normal;
    const bool positive = loss.info().lower == 0;
    for (std::size_t k = 1; k < 3; ++k) {
      for (std::size_t i = 0; i < extents[k]; ++i) {
        for (std::size_t j = 0; j < rank; ++j) model.at(k, i, j) = positive ? 0.05 + unit(rng) : 0.7 * normal(rng);
      }
    }
    for (std::size_t t = 0; t < x.size(); ++t) {
      switch (loss.info().domain) {
        case Domain::real:
          x[t] = 2 * normal(rng);
          break;
        case Domain::binary:
          x[t] = unit(rng) < 0.4 ? 1 : 0;
          break;
        case Domain::positive:
          x[t] = 0.2 - 2 * std::log(unit(rng));
          break;
        case Domain::positive_count:
          x[t] = 1 + std::floor(4 * unit(rng));
          break;
        default:
          x[t] = std::floor(5 * unit(rng) * unit(rng));
      }
      if (sparse && contains(loss.info().domain, 0) && unit(rng) < 0.6) x[t] = 0;
      if (weighted) w[t] = unit(rng) < 0.2 ? 0.0 : 0.5 + unit(rng);
    }
  }

  Tensor dense() const {
    DenseTensor tensor(IndexSpace(extents), Mappable<double>(AlignedVector<double>(x.begin(), x.end())));
    if (std::ranges::any_of(w, [](double v) { return v != 1; })) {
      tensor.set_weights(AlignedVector<double>(w.begin(), w.end()));
    }
    return tensor;
  }
  Tensor sparse() const {
    Records records(3, true);
    for (Index t = 0; t < 120; ++t) {
      const Index index[3] = {t / 30, t / 5 % 6, t % 5};
      if (x[t] != 0 || w[t] != 1) records.append(index, x[t], w[t]);
    }
    return SparseTensor(IndexSpace(extents), std::move(records));
  }

  double objective(std::size_t row, const std::vector<double>& b) const {
    double sum = 0;
    for (std::size_t t = row * 30; t < row * 30 + 30; ++t) {
      double m = 0;
      for (std::size_t j = 0; j < rank; ++j) m += b[j] * model.at(1, t / 5 % 6, j) * model.at(2, t % 5, j);
      if (w[t] > 0) sum += w[t] * loss.value(x[t], m);
    }
    return sum;
  }
};

SolvedRows solved(const Case& c, const Tensor& tensor, std::size_t threads = 1, ModeRowsSettings settings = {}) {
  const ModeRows rows(tensor, c.model, 0, c.loss, settings);
  return solve_mode(rows, std::vector<double>(c.rank, 0.3), {.lower = c.loss.info().lower, .upper = infinity}, threads);
}

std::vector<double> row_of(const SolvedRows& rows, std::size_t i) {
  const double* row = rows.factors.row(0, i);
  return {row, row + rows.factors.rank()};
}

// No direction leads down: one-sided differences of the definition along every entry.
void expect_minimum(const Case& c, std::size_t row, const std::vector<double>& b) {
  const double here = c.objective(row, b);
  for (std::size_t j = 0; j < b.size(); ++j) {
    for (const double step : {1e-4, -1e-4}) {
      std::vector<double> other = b;
      other[j] += step * (1 + std::abs(b[j]));
      if (other[j] < c.loss.info().lower) continue;
      EXPECT_GE(c.objective(row, other), here - 1e-10 * (1 + std::abs(here)))
          << c.loss.spec() << ", row " << row << ", entry " << j << " " << b[j];
    }
  }
}

TEST(SolveMode, EveryLossEndsAtAMinimumOfItsDefinition) {
  for (const Loss& loss : all_losses()) {
    for (const bool weighted : {false, true}) {
      const Case c(loss, 5, false, weighted);
      const SolvedRows rows = solved(c, c.dense());
      EXPECT_LE(rows.worst_residual, 1e-8) << loss.spec();
      for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(rows.states[i], RowState::solved) << loss.spec() << " " << rows.ends[i].residual;
        expect_minimum(c, i, row_of(rows, i));
      }
    }
  }
}

TEST(SolveMode, SparseDataGiveTheSameRowsAsDenseOnes) {
  for (const Loss& loss : all_losses()) {
    if (!contains(loss.info().domain, 0)) continue;
    for (const bool weighted : {false, true}) {
      const Case c(loss, 7, true, weighted);
      const SolvedRows from_dense = solved(c, c.dense());
      const SolvedRows from_sparse = solved(c, c.sparse());
      for (std::size_t i = 0; i < 4; ++i) {
        const std::vector<double> a = row_of(from_dense, i), b = row_of(from_sparse, i);
        for (std::size_t j = 0; j < c.rank; ++j) {
          EXPECT_NEAR(a[j], b[j], 1e-5 * (1 + std::abs(a[j]))) << loss.spec() << (weighted ? ", weighted" : "");
        }
        expect_minimum(c, i, b);
      }
    }
  }
}

TEST(SolveMode, UnlistedCellsThatAreMissingAreNotZeros) {
  const Case c(parse_loss("poisson"), 9, true, false);
  Records records(3);
  AlignedVector<double> values(120, std::nan(""));
  for (Index t = 0; t < 120; ++t) {
    const Index index[3] = {t / 30, t / 5 % 6, t % 5};
    if (c.x[t] == 0) continue;
    records.append(index, c.x[t]);
    values[t] = c.x[t];
  }
  const SolvedRows listed = solved(c, SparseTensor(IndexSpace(c.extents), std::move(records), Unlisted::missing));
  const SolvedRows dense = solved(c, DenseTensor(IndexSpace(c.extents), std::move(values)));
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < c.rank; ++j) EXPECT_NEAR(row_of(listed, i)[j], row_of(dense, i)[j], 1e-6);
  }
}

TEST(SolveMode, ARowWithoutDataIsZeroAndReported) {
  for (const char* name : {"poisson", "bernoulli-odds", "gaussian"}) {
    Case c(parse_loss(name), 2, true, false);
    for (std::size_t t = 30; t < 60; ++t) c.w[t] = 0;  // all cells of row 1
    for (const Tensor& tensor : {c.dense(), c.sparse()}) {
      const SolvedRows rows = solved(c, tensor);
      EXPECT_EQ(rows.states[1], RowState::no_data) << name;
      EXPECT_EQ(row_of(rows, 1), (std::vector<double>{0, 0, 0}));
      EXPECT_EQ(rows.states[0], RowState::solved);
    }
  }
}

TEST(SolveMode, GivesTheSameBitsOnAnyNumberOfThreads) {
  for (const char* name : {"poisson", "huber", "bernoulli-logit"}) {
    const Case c(parse_loss(name), 4, true, false);
    EXPECT_EQ(solved(c, c.sparse(), 1).factors, solved(c, c.sparse(), 3).factors) << name;
  }
}

TEST(SolveMode, SampledZerosStandForAllOfThem) {
  // Many samples of few cells: every cell is drawn about equally often, and rows come close to the exact ones.
  const Case c(parse_loss("bernoulli-odds"), 6, true, false);
  const Tensor tensor = c.sparse();
  const SolvedRows exact = solved(c, tensor);
  const ModeRows visited(tensor, c.model, 0, c.loss);
  EXPECT_EQ(visited.zeros(), RowZeros::visited);
  const ModeRowsSettings few_visits{.most_visits = 0, .samples = 30000, .seed = 3};
  const ModeRows sampled(tensor, c.model, 0, c.loss, few_visits);
  EXPECT_EQ(sampled.zeros(), RowZeros::sampled);
  AlignedVector<double> weights;
  for (std::size_t row = 0; row < 4; ++row) {
    double sum = 0;
    sampled.shared_weights(row, weights);
    for (const double w : weights) sum += w;
    double zeros = 0;
    for (std::size_t t = row * 30; t < row * 30 + 30; ++t) zeros += c.x[t] == 0 ? 1 : 0;
    EXPECT_NEAR(sum, zeros, 1e-9 * zeros);
  }
  const SolvedRows close = solved(c, tensor, 1, few_visits);
  for (std::size_t i = 0; i < 4; ++i) {
    const double best = c.objective(i, row_of(exact, i)), found = c.objective(i, row_of(close, i));
    EXPECT_GE(found, best - 1e-7 * std::abs(best));
    EXPECT_NEAR(found, best, 1e-2 * std::abs(best));
  }
}

TEST(SolveMode, InterruptedRowsAreSaidNotToHaveBegun) {
  const Case c(parse_loss("poisson"), 1, true, false);
  const Tensor tensor = c.sparse();
  const ModeRows rows(tensor, c.model, 0, c.loss);
  std::atomic<bool> stop = true;
  Monitor monitor;
  monitor.interrupt = &stop;
  const SolvedRows none = solve_mode(rows, {0.1, 0.1, 0.1}, {.lower = 0, .upper = infinity}, 1, monitor);
  for (const RowState state : none.states) EXPECT_EQ(state, RowState::not_begun);
}

}  // namespace
}  // namespace polyad
