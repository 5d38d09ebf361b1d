// Defaults only: do fits find what was planted? Full-size figures are in docs/design/0003-defaults.md; here the problems are
// smaller, so that the whole takes seconds.

#include <polyad/fit.hpp>
#include <polyad/model.hpp>
#include <polyad/model/compare.hpp>
#include <polyad/problems/problem.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace polyad {
namespace {

FitOptions defaults(std::uint64_t rank, const char* loss, std::uint64_t seed = 1) {
  FitOptions options;
  options.rank = rank;
  options.loss = loss;
  options.seed = seed;
  return options;
}

void expect_recovered(const ProblemOptions& options, const char* loss) {
  const Problem problem = make_problem(options);
  for (const std::uint64_t seed : {1, 2}) {
    const FitResult result = fit(problem.tensor, defaults(problem.truth.rank(), loss, seed));
    EXPECT_GE(score(problem.truth, result.model).value, 0.9) << problem.describe << ", fit seed " << seed;
  }
}

TEST(Recovery, Gamma) {
  GammaOptions options;
  options.shape = "60x50x40x10";
  options.rank = 4;
  expect_recovered(options, "gamma");
}

TEST(Recovery, Binary) {
  BinaryOptions options;
  options.shape = "80x60x50x40";
  options.rank = 4;
  expect_recovered(options, "bernoulli-odds");
}

TEST(Recovery, Poisson) {
  PoissonOptions options;
  options.shape = "100x40x30";
  options.rank = 4;
  options.total = 60000;
  expect_recovered(options, "poisson");
}

TEST(Recovery, City) {
  expect_recovered(CityOptions{}, "poisson");
}

TEST(Recovery, Gaussian) {
  GaussianOptions options;
  options.shape = "40x30x20";
  options.rank = 3;
  expect_recovered(options, "gaussian");
}

double mean_loss(const std::vector<double>& m, const Records& cells, const Loss& loss) {
  double sum = 0;
  for (std::size_t t = 0; t < cells.size(); ++t) sum += loss.value(cells.value(t), m[t]);
  return sum / static_cast<double>(cells.size());
}

// Hides a fifth of the cells, fits the rest, and compares predictions of the hidden cells with those of the true model,
// which no method can beat in expectation: of what the best constant loses against that oracle, at most a small part may
// remain.
void expect_predicts(const ProblemOptions& options, const char* name, double allowed_excess) {
  const Problem problem = make_problem(options);
  ASSERT_GT(problem.hidden.size(), 1000u);
  const FitOptions asked = defaults(problem.truth.rank(), name);
  const Loss loss = plan(problem.tensor, asked).loss;
  const FitResult result = fit(problem.tensor, asked);
  EXPECT_GE(score(problem.truth, result.model).value, 0.9);

  double mean = 0;
  for (std::size_t t = 0; t < problem.hidden.size(); ++t) mean += problem.hidden.value(t);
  mean /= static_cast<double>(problem.hidden.size());
  const double oracle = mean_loss(values_at(problem.truth, problem.hidden), problem.hidden, loss);
  const double fitted = mean_loss(values_at(result.model, problem.hidden), problem.hidden, loss);
  const double constant = mean_loss(std::vector<double>(problem.hidden.size(), mean), problem.hidden, loss);
  EXPECT_LE((fitted - oracle) / (constant - oracle), allowed_excess) << "oracle " << oracle << ", fitted " << fitted;
}

TEST(MissingData, GaussianHiddenCellsArePredicted) {
  GaussianOptions options;
  options.shape = "40x30x20";
  options.rank = 3;
  options.snr = 5;
  options.missing = 0.2;
  expect_predicts(options, "gaussian", 0.01);
}

TEST(MissingData, PoissonHiddenCellsArePredicted) {
  PoissonOptions options;
  options.shape = "60x40x30";
  options.rank = 3;
  options.total = 60000;
  options.missing = 0.2;
  expect_predicts(options, "poisson", 0.05);
}

}  // namespace
}  // namespace polyad
