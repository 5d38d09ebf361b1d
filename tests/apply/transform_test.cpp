// New rows: those of the training data are the model's own, label order does not matter, held-out days are explained as well as
// by a model that saw them.

#include "fit/cells.hpp"

#include <polyad/apply/transform.hpp>
#include <polyad/base/error.hpp>
#include <polyad/base/json_value.hpp>
#include <polyad/evaluate.hpp>
#include <polyad/fit.hpp>
#include <polyad/fit/plan.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/loss/all.hpp>
#include <polyad/problems/problem.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace polyad {
namespace {

using ::testing::HasSubstr;

// Counts or real numbers around a model of rank 2.
Tensor noisy(const std::vector<std::uint64_t>& extents, bool counts) {
  const KTensor truth = cells::some_model(extents, 2, 3, counts ? 0.1 : -1.0);
  std::mt19937_64 rng(1);
  AlignedVector<double> values;
  cells::for_each(extents, [&](const std::vector<Index>& index) {
    const double m = cells::value_of(truth, index);
    values.push_back(counts ? static_cast<double>(std::poisson_distribution<int>(4 * m)(rng))
                            : m + std::normal_distribution<double>(0, 0.2)(rng));
  });
  return DenseTensor(IndexSpace(extents), std::move(values));
}

void expect_own_rows(const Tensor& tensor, const FitOptions& options) {
  const FitResult result = fit(tensor, options);
  const ModelFile file = to_model_file(result);
  for (std::size_t mode = 0; mode < 3; ++mode) {
    TransformOptions transform_options;
    transform_options.mode = std::to_string(mode + 1);
    const Transformed rows = transform(file, tensor, transform_options);
    EXPECT_LE(rows.worst_residual, 1e-8);
    double largest = 0;
    for (const double w : result.model.weights) largest = std::max(largest, w);
    for (std::size_t i = 0; i < tensor.space().extent(mode); ++i) {
      for (std::size_t j = 0; j < 2; ++j) {
        EXPECT_NEAR(rows.model.factors.at(mode, i, j), result.model.weights[j] * result.model.factors.at(mode, i, j),
                    1e-6 * largest)
            << "mode " << mode << ", row " << i;
      }
    }
  }
}

TEST(Transform, OfTheTrainingSlicesIsTheModelsOwnRowsPoisson) {
  FitOptions options;
  options.rank = 2;
  options.loss = "poisson";
  options.method = "cp-apr";
  options.starts = 1;
  options.stop.iterations = 20000;
  options.apr.kkt_tolerance = 1e-9;
  options.apr.inner = 50;
  expect_own_rows(noisy({9, 7, 6}, true), options);
}

TEST(Transform, OfTheTrainingSlicesIsTheModelsOwnRowsGaussian) {
  FitOptions options;
  options.rank = 2;
  options.loss = "gaussian";
  options.method = "cp-als";
  options.starts = 1;
  options.stop.iterations = 20000;
  options.stop.tolerance = 1e-15;
  expect_own_rows(noisy({9, 7, 6}, false), options);
}

ModelFile labelled_model() {
  ModelFile file;
  file.model = cells::some_model({3, 4, 5}, 2, 8, 0.1);
  file.options->json["loss"] = "poisson";
  file.labels =
      Labels({{"day", {"d1", "d2", "d3"}}, {"hour", {"h1", "h2", "h3", "h4"}}, {"kind", {"a", "b", "c", "d", "e"}}});
  return file;
}

TEST(Transform, DoesNotDependOnTheOrderOfLabelsAndModes) {
  const ModelFile file = labelled_model();
  std::mt19937_64 rng(2);
  Records plain(3), mixed(3);
  for (Index i = 0; i < 2; ++i) {
    for (Index j = 0; j < 4; ++j) {
      for (Index k = 0; k < 5; ++k) {
        const auto x = static_cast<double>(rng() % 4);
        if (x == 0) continue;
        const Index straight[3] = {i, j, k}, turned[3] = {4 - k, 1 - i, 3 - j};
        plain.append(straight, x);
        mixed.append(turned, x);
      }
    }
  }
  const Tensor a(
      SparseTensor(IndexSpace({2, 4, 5}), std::move(plain)),
      Labels({{"day", {"d8", "d9"}}, {"hour", {"h1", "h2", "h3", "h4"}}, {"kind", {"a", "b", "c", "d", "e"}}}));
  const Tensor b(
      SparseTensor(IndexSpace({5, 2, 4}), std::move(mixed)),
      Labels({{"kind", {"e", "d", "c", "b", "a"}}, {"day", {"d9", "d8"}}, {"hour", {"h4", "h3", "h2", "h1"}}}));
  const Transformed from_a = transform(file, a, {});
  const Transformed from_b = transform(file, b, {});
  EXPECT_EQ(from_a.mode, 0u);
  EXPECT_EQ(from_b.labels.mode(0).entries, (std::vector<std::string>{"d9", "d8"}));
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2; ++j) {
      EXPECT_NEAR(from_a.model.factors.at(0, i, j), from_b.model.factors.at(0, 1 - i, j), 1e-7);
    }
  }
  EXPECT_EQ(from_a.model.weights, (std::vector<double>{1, 1}));
  const ModelFile out = to_model_file(from_a, file);
  EXPECT_EQ(out.summary->json["transform"]["mode"], "day");
  EXPECT_EQ(out.summary->json["transform"]["rows"], 2);
  EXPECT_EQ(out.options->json["loss"], "poisson");
}

TEST(Transform, TheUnitOfTheDataChangesNothing) {
  ModelFile file = labelled_model();
  file.options->json["loss"] = "gamma";
  std::mt19937_64 rng(5);
  std::gamma_distribution<double> draw(3, 1);
  AlignedVector<double> values, scaled;
  const double unit = std::ldexp(1.0, -70);
  for (int t = 0; t < 40; ++t) {
    values.push_back(draw(rng));
    scaled.push_back(unit * values.back());
  }
  const Labels labels({{"day", {"x", "y"}}, file.labels.mode(1), file.labels.mode(2)});
  const Transformed plain = transform(file, Tensor(DenseTensor(IndexSpace({2, 4, 5}), std::move(values)), labels), {});
  const Transformed tiny = transform(file, Tensor(DenseTensor(IndexSpace({2, 4, 5}), std::move(scaled)), labels), {});
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2; ++j) {
      const double b = plain.model.factors.at(0, i, j);
      EXPECT_NEAR(tiny.model.factors.at(0, i, j) / unit, b, 1e-6 * (1 + b));
    }
  }
}

TEST(Transform, SaysWhatCannotBeDone) {
  const auto message = [](const ModelFile& file, const Tensor& data, const TransformOptions& options) {
    try {
      transform(file, data, options);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  ModelFile file = labelled_model();
  const Tensor fine(DenseTensor(IndexSpace({1, 4, 5}), AlignedVector<double>(20, 1.0)),
                    Labels({{"day", {"x"}}, file.labels.mode(1), file.labels.mode(2)}));
  Tensor negative = fine;
  negative = Tensor(DenseTensor(IndexSpace({1, 4, 5}), AlignedVector<double>(20, -1.0)), fine.labels());
  TransformOptions other;
  other.loss = "gaussian";
  EXPECT_THAT(message(file, fine, other), HasSubstr("the model was fitted with loss poisson, not gaussian"));
  EXPECT_THAT(message(file, negative, {}), HasSubstr("poisson"));
  file.options->json.erase("loss");
  EXPECT_THAT(message(file, fine, {}), HasSubstr("give loss"));
  other.loss = "poisson";
  EXPECT_EQ(message(file, fine, other), "no error");
  file.model.factors.at(2, 1, 0) = -1;
  EXPECT_THAT(message(file, fine, other), HasSubstr("negative factors in mode 3"));
  file = labelled_model();
  other.lower = 2;
  other.upper = 1;
  EXPECT_THAT(message(file, fine, other), HasSubstr("lower is above upper"));
}

// The days of `tensor` from `begin` on, or before it.
Tensor some_days(const Tensor& tensor, Index begin, Index end) {
  Labels labels = tensor.labels();
  auto& days = labels.mode(0).entries;
  days = {days.begin() + begin, days.begin() + end};
  Records records(tensor.space().modes());
  const Records& all = tensor.sparse()->records();
  for (std::size_t t = 0; t < all.size(); ++t) {
    std::vector<Index> index(all.index(t), all.index(t) + all.modes());
    if (index[0] < begin || index[0] >= end) continue;
    index[0] -= begin;
    records.append(index.data(), all.value(t));
  }
  std::vector<std::uint64_t> extents(tensor.space().extents().begin(), tensor.space().extents().end());
  extents[0] = end - begin;
  return {SparseTensor(IndexSpace(extents), std::move(records)), labels};
}

TEST(Transform, HeldOutDaysAreExplainedAsWellAsByAModelThatSawThem) {
  const Problem city = make_city({.total = 100000});
  FitOptions options;
  options.rank = 6;
  options.loss = "poisson";
  options.starts = 2;
  const Tensor seen = some_days(city.tensor, 0, 300), unseen = some_days(city.tensor, 300, 365);
  const ModelFile file = to_model_file(fit(seen, options));
  const Transformed rows = transform(file, unseen, {});
  EXPECT_EQ(rows.labels.mode_name(rows.mode), "day");
  const FitResult both = fit(city.tensor, options);
  // The rows of the unseen days in the model of all days.
  KTensor cut = both.model;
  Factors factors({65, 24, cut.factors.rows(2), cut.factors.rows(3)}, 6);
  for (std::size_t k = 0; k < 4; ++k) {
    for (std::size_t i = 0; i < factors.rows(k); ++i) {
      for (std::size_t j = 0; j < 6; ++j) factors.at(k, i, j) = cut.factors.at(k, k == 0 ? i + 300 : i, j);
    }
  }
  cut.factors = std::move(factors);
  const Loss loss = parse_loss("poisson");
  const ModelQuality with_rows = evaluate(unseen, rows.model, loss, evaluate_settings(loss)).verdict.quality;
  const ModelQuality with_all = evaluate(unseen, cut, loss, evaluate_settings(loss)).verdict.quality;
  const double deviance_of_rows = with_rows.loss - with_rows.best_loss;
  const double deviance_of_all = with_all.loss - with_all.best_loss;
  EXPECT_LE(deviance_of_rows, 1.02 * deviance_of_all);
  EXPECT_GE(deviance_of_rows, 0.9 * deviance_of_all);
}

}  // namespace
}  // namespace polyad
