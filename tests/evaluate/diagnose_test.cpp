// Figures of fit against their definitions, cell by cell.

#include "fit/cells.hpp"

#include <polyad/base/json_value.hpp>
#include <polyad/error.hpp>
#include <polyad/evaluate.hpp>
#include <polyad/evaluate/judged_cells.hpp>
#include <polyad/loss.hpp>
#include <polyad/loss/best_value.hpp>
#include <polyad/tensor/tensor.hpp>

#include <gtest/gtest.h>
#include <boost/math/distributions/negative_binomial.hpp>
#include <boost/math/distributions/poisson.hpp>

#include <cmath>
#include <numbers>
#include <random>

namespace polyad {
namespace {

const std::vector<std::uint64_t> shape = {5, 4, 3};

/// Some cells of the shape hold whole numbers, the others nothing.
Records scattered(bool weighted) {
  Records records(3, weighted);
  std::mt19937_64 draw(7);
  cells::for_each(shape, [&](const std::vector<Index>& index) {
    if (draw() % 3 == 0)
      records.append(index.data(), 1.0 + static_cast<double>(draw() % 4),
                     weighted ? 0.5 + 0.25 * static_cast<double>(draw() % 4) : 1.0);
  });
  return records;
}

/// The same sums as diagnose, over every cell of a sparse tensor whose unlisted cells are zeros.
std::vector<std::vector<SliceFit>> slices_by_definition(const SparseTensor& tensor, const KTensor& model,
                                                        const Loss& loss, double null_value) {
  std::vector<std::vector<SliceFit>> slices;
  for (const std::uint64_t extent : shape) slices.emplace_back(extent);
  LeastLoss least(loss);
  cells::for_each(shape, [&](const std::vector<Index>& index) {
    const std::uint32_t record = tensor.find(index.data());
    const bool listed = record != CellSet::absent;
    const double x = listed ? tensor.records().value(record) : 0, m = cells::value_of(model, index);
    const double w = listed ? tensor.records().weight(record) : tensor.zero_weight();
    for (std::size_t k = 0; k < 3; ++k) {
      SliceFit& s = slices[k][index[k]];
      s.loss += w * loss.value(x, m);
      s.null_loss += w * loss.value(x, null_value);
      s.best_loss += w * least(x);
      s.observed += w * x;
      s.expected += w * expected_value(loss, m);
    }
  });
  return slices;
}

void expect_near(const std::vector<std::vector<SliceFit>>& got, const std::vector<std::vector<SliceFit>>& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t k = 0; k < got.size(); ++k) {
    ASSERT_EQ(got[k].size(), expected[k].size());
    for (std::size_t i = 0; i < got[k].size(); ++i) {
      const auto close = [](double a, double b) { EXPECT_NEAR(a, b, 1e-9 * (1 + std::abs(b))); };
      close(got[k][i].loss, expected[k][i].loss);
      close(got[k][i].null_loss, expected[k][i].null_loss);
      close(got[k][i].best_loss, expected[k][i].best_loss);
      close(got[k][i].observed, expected[k][i].observed);
      close(got[k][i].expected, expected[k][i].expected);
    }
  }
}

TEST(Diagnose, ClosedFormSlicesEqualTheSumOverCells) {
  for (const char* name : {"poisson", "gaussian"}) {
    for (const bool weighted : {false, true}) {
      const Loss loss = parse_loss(name);
      SparseTensor sparse{IndexSpace(shape), scattered(weighted)};
      if (weighted) sparse.set_zero_weight(0.3);
      const KTensor model = cells::some_model(shape, 3, 5, loss.info().lower == 0 ? 0.1 : -1);
      const Diagnostics d = diagnose(Tensor(sparse), model, loss);
      EXPECT_TRUE(d.exact);
      expect_near(d.slices, slices_by_definition(sparse, model, loss, d.null_value));
    }
  }
}

TEST(Diagnose, OtherLossesSumTheCellsThemselves) {
  for (const char* name : {"negative-binomial:r=2", "poisson-log", "huber:delta=0.5"}) {
    const Loss loss = parse_loss(name);
    const SparseTensor sparse{IndexSpace(shape), scattered(false)};
    const KTensor model = cells::some_model(shape, 2, 6, loss.info().lower == 0 ? 0.1 : -1);
    const Diagnostics d = diagnose(Tensor(sparse), model, loss);
    EXPECT_TRUE(d.exact);
    expect_near(d.slices, slices_by_definition(sparse, model, loss, d.null_value));
  }
}

TEST(Diagnose, ComponentRiseIsTheLossOfItsMean) {
  const Loss loss = parse_loss("poisson");
  const Tensor tensor{SparseTensor{IndexSpace(shape), scattered(false)}};
  const KTensor model = cells::some_model(shape, 2, 8, 0.1);
  const Diagnostics d = diagnose(tensor, model, loss);
  ASSERT_EQ(d.component_rise.size(), 2u);
  for (std::size_t j = 0; j < 2; ++j) {
    double mean = model.weights[j];
    for (std::size_t k = 0; k < 3; ++k) {
      double sum = 0;
      for (std::size_t i = 0; i < shape[k]; ++i) sum += model.factors.at(k, i, j);
      mean *= sum / static_cast<double>(shape[k]);
    }
    double rise = 0;
    cells::for_each(shape, [&](const std::vector<Index>& index) {
      const std::uint32_t record = tensor.sparse()->find(index.data());
      const double x = record == CellSet::absent ? 0 : tensor.sparse()->records().value(record);
      const double m = cells::value_of(model, index);
      const double own = cells::part_of(model, j, index);
      rise += loss.value(x, m - own + mean) - loss.value(x, m);
    });
    EXPECT_NEAR(d.component_rise[j], rise / (d.null_loss - d.best_loss), 1e-9);
  }
}

TEST(Diagnose, AModelThatEqualsTheDataExplainsAll) {
  // One component whose cells are all 2, of data that are all 2 but for one slice that is 4.
  Factors factors({3, 2}, 1);
  for (std::size_t i = 0; i < 3; ++i) factors.at(0, i, 0) = i == 2 ? 4 : 2;
  for (std::size_t i = 0; i < 2; ++i) factors.at(1, i, 0) = 1;
  const DenseTensor data(IndexSpace({3, 2}), {2, 2, 2, 2, 4, 4});
  for (const char* name : {"poisson", "gaussian", "gamma"}) {
    const Diagnostics d = diagnose(Tensor(data), KTensor(factors), parse_loss(name));
    EXPECT_NEAR(d.explained(), 1, 1e-9) << name;
    EXPECT_NEAR(d.null_value, 16.0 / 6, 1e-6) << name;
  }
}

TEST(Diagnose, HeldOutCellsAreJudgedSeparately) {
  const Loss loss = parse_loss("bernoulli-odds");
  const Tensor tensor{SparseTensor{IndexSpace({4, 2}), [] {
                                     Records r(2);
                                     for (Index i = 0; i < 2; ++i) r.append(std::array<Index, 2>{i, 0}.data(), 1);
                                     return r;
                                   }()}};
  KTensor model(Factors({4, 2}, 1));
  for (std::size_t i = 0; i < 4; ++i) model.factors.at(0, i, 0) = 1.0 / static_cast<double>(1 + i);
  for (std::size_t i = 0; i < 2; ++i) model.factors.at(1, i, 0) = 2.0 - static_cast<double>(i);
  Records held(2);
  held.append(std::array<Index, 2>{0, 1}.data(), 1);
  held.append(std::array<Index, 2>{3, 1}.data(), 0);
  const Diagnostics d = diagnose(tensor, model, loss, {}, &held);
  ASSERT_TRUE(d.held_out);
  EXPECT_EQ(d.held_out->cells, 2u);
  EXPECT_NEAR(d.held_out->loss, loss.value(1, 1.0) + loss.value(0, 0.25), 1e-12);
  EXPECT_NEAR(d.held_out->null_loss, loss.value(1, d.null_value) + loss.value(0, d.null_value), 1e-12);
  EXPECT_EQ(d.held_out->auc, 1.0);
  EXPECT_NEAR(d.null_value, 2.0 / 6, 1e-6);
}

TEST(Diagnose, RefusesAnotherShape) {
  EXPECT_THROW(diagnose(Tensor(DenseTensor(IndexSpace({2, 2}), {1, 2, 3, 4})), KTensor(Factors({2, 3}, 1)),
                        parse_loss("gaussian")),
               Error);
}

TEST(ExpectedValue, IsTheMeanThatMStandsFor) {
  for (const double m : {0.05, 0.7, 3.0, 40.0}) {
    const auto of = [&](const char* loss) { return expected_value(parse_loss(loss), m); };
    const auto close = [&](double got, double right) { EXPECT_NEAR(got, right, 1e-6 * (1 + right)) << m; };
    close(of("gaussian"), m);
    close(of("huber:delta=0.25"), m);
    close(of("poisson"), m);
    close(of("poisson-log"), std::exp(m));
    close(of("gamma"), m);
    close(of("beta-divergence:beta=0.5"), m);
    close(of("bernoulli-odds"), m / (1 + m));
    close(of("bernoulli-logit"), 1 / (1 + std::exp(-m)));
    close(of("negative-binomial:r=3"), 3 * m);
    close(of("zero-truncated-poisson"), m / -std::expm1(-m));
    close(of("rayleigh"), 2 * m / std::sqrt(std::numbers::pi));
  }
  for (const char* loss : {"poisson", "bernoulli-odds", "negative-binomial:r=3"}) {
    EXPECT_EQ(expected_value(parse_loss(loss), 0), 0) << loss << ": summed over 10^14 cells, 10^-10 would be much";
    double together = 1;
    const double nothing = 0;
    expected_values(parse_loss(loss), 1, &nothing, &together);
    EXPECT_EQ(together, 0) << loss;
  }
}

TEST(BestConstant, IsTheMeanThroughTheLink) {
  const std::map<double, double> binary = {{0, 3}, {1, 1}}, counts = {{0, 1}, {1, 2}, {5, 1}},
                                 positive = {{0.5, 1}, {2, 1}, {8, 2}};
  EXPECT_NEAR(best_constant(parse_loss("bernoulli-odds"), binary), 1.0 / 3, 1e-6);
  EXPECT_NEAR(best_constant(parse_loss("bernoulli-logit"), binary), std::log(1.0 / 3), 1e-6);
  EXPECT_NEAR(best_constant(parse_loss("poisson"), counts), 7.0 / 4, 1e-6);
  EXPECT_NEAR(best_constant(parse_loss("poisson-log"), counts), std::log(7.0 / 4), 1e-6);
  EXPECT_NEAR(best_constant(parse_loss("gaussian"), counts), 7.0 / 4, 1e-6);
  EXPECT_NEAR(best_constant(parse_loss("gamma"), positive), 18.5 / 4, 1e-5);
}

TEST(LeastLoss, IsReachedAtTheData) {
  for (const double x : {1.0, 2.0, 7.0}) {
    const auto least = [&](const char* name) {
      const Loss loss = parse_loss(name);
      return LeastLoss(loss)(x);
    };
    EXPECT_NEAR(least("gaussian"), 0, 1e-12);
    EXPECT_NEAR(least("poisson"), x - x * std::log(x), 1e-7);
    EXPECT_NEAR(least("poisson-log"), x - x * std::log(x), 1e-7);
    EXPECT_NEAR(least("gamma"), 1 + std::log(x), 1e-7);
  }
  const Loss odds = parse_loss("bernoulli-odds"), logit = parse_loss("bernoulli-logit");
  for (const double x : {0.0, 1.0}) {
    EXPECT_NEAR(LeastLoss(odds)(x), 0, 1e-9);
    EXPECT_NEAR(LeastLoss(logit)(x), 0, 1e-9);
  }
}

Batch batch_of(const std::vector<double>& x, const std::vector<double>& w) {
  Batch batch;
  batch.resize(1, x.size(), false);
  for (std::size_t t = 0; t < x.size(); ++t) {
    batch.index[0][t] = 0;
    batch.x[t] = x[t];
    batch.w[t] = w[t];
  }
  return batch;
}

TEST(RocCurve, AreaIsTheChanceThatYesRanksAboveNo) {
  std::mt19937_64 draw(3);
  std::vector<double> x, w, score;
  for (int t = 0; t < 60; ++t) {
    x.push_back(static_cast<double>(draw() % 2));
    w.push_back(1.0 + static_cast<double>(draw() % 3));
    score.push_back(static_cast<double>(draw() % 7) + x.back());
  }
  double above = 0, pairs = 0;
  for (std::size_t a = 0; a < x.size(); ++a) {
    for (std::size_t b = 0; b < x.size(); ++b) {
      if (x[a] != 1 || x[b] != 0) continue;
      pairs += w[a] * w[b];
      above += w[a] * w[b] * (score[a] > score[b] ? 1 : score[a] == score[b] ? 0.5 : 0);
    }
  }
  const auto roc = roc_curve(batch_of(x, w), score);
  ASSERT_TRUE(roc);
  EXPECT_NEAR(roc->auc, above / pairs, 1e-12);
  EXPECT_EQ(roc->points.front().true_rate, 0);
  EXPECT_EQ(roc->points.back().false_rate, 1);
  EXPECT_FALSE(roc_curve(batch_of({1, 1}, {1, 1}), {0.1, 0.2}));
}

TEST(CountLaws, AreThoseOfTheLosses) {
  std::vector<double> p(40);
  const double mean = 2.5;
  count_law(parse_loss("poisson"))->probabilities(mean, p);
  const boost::math::poisson_distribution<> poisson(mean);
  for (std::size_t k = 0; k < p.size(); ++k) EXPECT_NEAR(p[k], boost::math::pdf(poisson, k), 1e-12);
  const auto negative = count_law(parse_loss("negative-binomial:r=3"));
  negative->probabilities(mean, p);
  // Boost counts failures before the r-th success; odds m of a failure are mean / r.
  const boost::math::negative_binomial_distribution<> law(3, 1 / (1 + mean / 3));
  for (std::size_t k = 0; k < p.size(); ++k) EXPECT_NEAR(p[k], boost::math::pdf(law, k), 1e-12);
  EXPECT_NEAR(negative->variance(mean), boost::math::variance(law), 1e-9);
  for (const double truncated : {1.001, 1.3, 2.0, 6.0}) {
    const auto zero_truncated = count_law(parse_loss("zero-truncated-poisson"));
    zero_truncated->probabilities(truncated, p);
    double total = 0, first = 0, second = 0;
    for (std::size_t k = 0; k < p.size(); ++k) {
      total += p[k];
      first += static_cast<double>(k) * p[k];
      second += static_cast<double>(k * k) * p[k];
    }
    EXPECT_NEAR(total, 1, 1e-9);
    EXPECT_NEAR(first, truncated, 1e-6);
    EXPECT_NEAR(zero_truncated->variance(truncated), second - first * first, 1e-5);
  }
  EXPECT_FALSE(count_law(parse_loss("gaussian")));
}

TEST(Rootogram, CountsCellsAndWhatTheModelExpects) {
  const auto bins = rootogram(batch_of({0, 1, 1, 3}, {5, 1, 2, 1}), {0.5, 0.5, 1.0, 2.0}, {CountLaw::Kind::poisson, 0});
  ASSERT_EQ(bins.size(), 4u);
  EXPECT_EQ(bins[0].observed, 5);
  EXPECT_EQ(bins[1].observed, 3);
  EXPECT_EQ(bins[2].observed, 0);
  EXPECT_EQ(bins[3].observed, 1);
  EXPECT_NEAR(bins[0].expected, 6 * std::exp(-0.5) + 2 * std::exp(-1.0) + std::exp(-2.0), 1e-12);
}

TEST(Calibration, BinsAreWeightedMeans) {
  const auto bins = calibration_bins(batch_of({4, 0, 2, 0}, {1, 3, 1, 1}), {2.0, 0.5, 3.0, 0.1}, 2);
  ASSERT_EQ(bins.size(), 2u);
  EXPECT_NEAR(bins[0].expected, (3 * 0.5 + 0.1) / 4, 1e-12);
  EXPECT_EQ(bins[0].observed, 0);
  EXPECT_NEAR(bins[1].expected, 2.5, 1e-12);
  EXPECT_NEAR(bins[1].observed, 3, 1e-12);
  EXPECT_NEAR(bins[1].error, std::sqrt(2.0) / 2, 1e-12);
}

TEST(Calibration, CellsOfTheSameExpectationShareABin) {
  const auto bins = calibration_bins(batch_of({1, 1, 1, 0, 0, 0}, {1, 1, 1, 1, 1, 1}), {.5, .5, .5, .5, .5, .5}, 3);
  ASSERT_EQ(bins.size(), 1u);
  EXPECT_EQ(bins[0].observed, 0.5);
}

// Zeros that were drawn uniformly lie elsewhere: a bin of nothing but ones says nothing about how many zeros there are.
TEST(Calibration, ABinWithoutZerosIsNotJudged) {
  Batch batch = batch_of({1, 1, 1, 1, 0, 0, 0, 0, 0, 0}, {1, 1, 1, 1, 1e9, 1e9, 1e9, 1e9, 1e9, 1e9});
  batch.zeros_from = 4;
  const std::vector<double> expected = {.9, .8, .9, .7, 0, 0, 0, 0, 0, 0};
  const auto judged = [&](bool some_zeros) { return calibration_bins(batch, expected, 2, some_zeros); };
  EXPECT_EQ(judged(true).size(), 2u);
  EXPECT_EQ(judged(true)[0].observed, 0);
  EXPECT_TRUE(std::isnan(judged(true)[1].observed));
  EXPECT_GT(judged(false)[1].observed, 0) << "all zeros are in the batch";
}

/// Yes/no data in 2.7e13 cells that are what the model says: two blocks of 27,000 cells, with odds of 1/2 and 1/10.
struct Hypersparse {
  static constexpr std::size_t side = 30'000, block = 30;

  Hypersparse() : model(Factors({side, side, side}, 2)), records(3) {
    for (std::size_t j = 0; j < 2; ++j) {
      for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t i = 0; i < block; ++i) model.factors.at(k, 100 * (j + 1) + i, j) = 1;
      }
    }
    model.weights = {0.5, 0.1};
    std::mt19937_64 draw(11);
    for (std::size_t j = 0; j < 2; ++j) {
      std::bernoulli_distribution yes(model.weights[j] / (1 + model.weights[j]));
      for (std::size_t n = 0; n < block * block * block; ++n) {
        const Index first = static_cast<Index>(100 * (j + 1));
        const Index index[] = {first + static_cast<Index>(n % block), first + static_cast<Index>(n / block % block),
                               first + static_cast<Index>(n / block / block)};
        if (yes(draw)) records.append(index, 1.0);
      }
    }
  }
  KTensor model;
  Records records;
};

TEST(Calibration, OfHypersparseDataSeesTheZerosWhereTheModelExpectsSomething) {
  Hypersparse made;
  const double ones = static_cast<double>(made.records.size());
  const Tensor tensor = SparseTensor(IndexSpace({made.side, made.side, made.side}), std::move(made.records));
  const Diagnostics found = diagnose(tensor, made.model, parse_loss("bernoulli-odds"), {});
  std::size_t seen = 0;
  for (const CalibrationBin& bin : found.calibration) {
    if (bin.expected < 1e-6) continue;
    ++seen;
    EXPECT_NEAR(bin.observed, bin.expected, 5 * bin.error + 1e-3) << bin.cells;
    EXPECT_LT(bin.error, 0.1 * bin.expected);
  }
  EXPECT_GE(seen, 2u);
  // What is expected of a slice: the model's sum over the block, not 10^-10 for each of 2.7e13 cells.
  const double all = 27'000 * (0.5 / 1.5 + 0.1 / 1.1);
  double expected = 0;
  for (const SliceFit& slice : found.slices[1]) expected += slice.expected;
  EXPECT_NEAR(expected, all, 0.02 * all);
  EXPECT_NEAR(ones, all, 0.03 * all);
  EXPECT_EQ(found.slices[0][20'000].expected, 0);
}

}  // namespace
}  // namespace polyad
