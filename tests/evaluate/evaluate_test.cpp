// The figures of a verdict against their definitions, cell by cell and by finite differences.

#include "fit/cells.hpp"
#include "fit/separate_blocks.hpp"

#include <polyad/base/json_value.hpp>
#include <polyad/error.hpp>
#include <polyad/evaluate.hpp>
#include <polyad/fit.hpp>
#include <polyad/fit/plan.hpp>
#include <polyad/fit/verdict.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/loss.hpp>
#include <polyad/model.hpp>
#include <polyad/solve/options_json.hpp>
#include <polyad/tensor/tensor.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace polyad {
namespace {

const std::vector<std::uint64_t> extents = {6, 5, 4};

Tensor noisy(const KTensor& truth, double scale, double noise = 0.1) {
  std::mt19937_64 draw(11);
  std::normal_distribution<double> normal;
  AlignedVector<double> values;
  cells::for_each(extents, [&](const std::vector<Index>& index) {
    values.push_back(scale * (cells::value_of(truth, index) + noise * normal(draw)));
  });
  return DenseTensor(IndexSpace(extents), std::move(values));
}

double gaussian_loss(const Tensor& tensor, const KTensor& model) {
  double sum = 0;
  std::uint64_t cell = 0;
  cells::for_each(extents, [&](const std::vector<Index>& index) {
    const double difference = tensor.dense()->value(cell++) - cells::value_of(model, index);
    sum += difference * difference;
  });
  return sum;
}

TEST(Evaluate, AgreesWithTheDefinitionsCellByCell) {
  const KTensor model = cells::some_model(extents, 2, 1, -1.0);
  const Tensor tensor = noisy(cells::some_model(extents, 2, 2, -1.0), 1.0);
  const Loss loss = parse_loss("gaussian");
  const Evaluation found = evaluate(tensor, model, loss, evaluate_settings(loss));
  const ModelQuality& quality = found.verdict.quality;

  double mean = 0, null_loss = 0;
  for (std::uint64_t cell = 0; cell < 120; ++cell) mean += tensor.dense()->value(cell) / 120;
  for (std::uint64_t cell = 0; cell < 120; ++cell) null_loss += std::pow(tensor.dense()->value(cell) - mean, 2);
  const double expected = gaussian_loss(tensor, model);
  EXPECT_TRUE(quality.exact);
  EXPECT_NEAR(quality.loss, expected, 1e-10 * expected);
  EXPECT_NEAR(quality.null_value, mean, 1e-6);
  EXPECT_NEAR(quality.null_loss, null_loss, 1e-9 * null_loss);
  EXPECT_NEAR(quality.best_loss, 0, 1e-12);
  EXPECT_NEAR(quality.explained(), 1 - expected / null_loss, 1e-9);

  // The gradient of the balanced factors, by central differences.
  KTensor balanced = model;
  normalize(balanced);
  distribute_weights(balanced);
  double squares = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < extents[k]; ++i) {
      for (std::size_t j = 0; j < 2; ++j) {
        constexpr double h = 1e-5;
        KTensor up = balanced, down = balanced;
        up.factors.at(k, i, j) += h;
        down.factors.at(k, i, j) -= h;
        squares += std::pow((gaussian_loss(tensor, up) - gaussian_loss(tensor, down)) / (2 * h), 2);
      }
    }
  }
  EXPECT_NEAR(*quality.gradient, std::sqrt(squares), 1e-6 * std::sqrt(squares));

  for (std::size_t j = 0; j < 2; ++j) {
    KTensor without = model;
    without.weights[j] = 0;
    EXPECT_NEAR(found.components[j].worth, (gaussian_loss(tensor, without) - expected) / null_loss, 1e-9);
  }
}

TEST(Evaluate, UnitsChangeNoFigureThatIsRelative) {
  const Loss loss = parse_loss("gaussian");
  KTensor model = cells::some_model(extents, 2, 3, -1.0);
  const KTensor truth = cells::some_model(extents, 2, 4, -1.0);
  const Evaluation plain = evaluate(noisy(truth, 1.0), model, loss, evaluate_settings(loss));
  for (double& w : model.weights) w *= 0x1p-30;
  const Evaluation small = evaluate(noisy(truth, 0x1p-30), model, loss, evaluate_settings(loss));
  EXPECT_NEAR(small.verdict.quality.explained(), plain.verdict.quality.explained(), 1e-7);
  EXPECT_NEAR(*small.verdict.quality.relative_gradient, *plain.verdict.quality.relative_gradient, 1e-6);
}

TEST(Evaluate, EstimatesWithAnHonestErrorWhereExactIsTooMuch) {
  const KTensor model = cells::some_model(extents, 2, 5, 0.1);
  const Tensor tensor = noisy(cells::some_model(extents, 2, 6, 0.1), 1.0);
  const Loss loss = parse_loss("gaussian");
  const double exact = gaussian_loss(tensor, model);
  EvaluateSettings settings = evaluate_settings(loss);
  settings.most_cells = 10;
  settings.sample.estimate_samples = 110;
  double squared_z = 0;
  constexpr int seeds = 400;
  for (int seed = 1; seed <= seeds; ++seed) {
    settings.sample.estimate_seed = static_cast<std::uint64_t>(seed);
    const ModelQuality quality = evaluate(tensor, model, loss, settings).verdict.quality;
    EXPECT_FALSE(quality.exact);
    squared_z += std::pow((quality.loss - exact) / quality.standard_error, 2) / seeds;
  }
  EXPECT_GT(squared_z, 0.75);
  EXPECT_LT(squared_z, 1.5);
}

TEST(Evaluate, RefusesOtherShapesLabelsAndModelsThatAreNotFinite) {
  const Loss loss = parse_loss("gaussian");
  KTensor model = cells::some_model(extents, 2, 7, 0.1);
  Tensor tensor = noisy(model, 1.0);
  const auto message = [&](const auto& action) {
    try {
      action();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(message([&] {
                evaluate(tensor, cells::some_model({6, 5, 5}, 2, 7, 0.1), loss, evaluate_settings(loss));
              }),
              testing::HasSubstr("6 x 5 x 5"));
  Labels labels(3);
  labels.mode(2).entries = {"a", "b", "c", "d"};
  tensor.set_labels(labels);
  labels.mode(2).entries = {"a", "c", "b", "d"};
  EXPECT_THAT(message([&] { check_same_cells(tensor, model, labels); }), testing::HasSubstr("index 2 is 'c'"));
  model.factors.at(0, 0, 0) = std::numeric_limits<double>::infinity();
  EXPECT_THAT(message([&] { evaluate(tensor, model, loss, evaluate_settings(loss)); }), testing::HasSubstr("finite"));
}

TEST(Verdict, NamesWhatIsWrongWithAModel) {
  const SeparateBlocks blocks = separate_blocks({20, 20, 20}, 2, 5, 200, 1);
  const Loss loss = parse_loss("poisson");
  const auto verdict_of = [&](const KTensor& model) {
    return evaluate(blocks.tensor, model, loss, evaluate_settings(loss)).verdict;
  };
  const FitVerdict good = verdict_of(blocks.planted);
  EXPECT_FALSE(good.unusable());
  EXPECT_TRUE(warnings(good).empty());

  KTensor dead = blocks.planted;
  dead.weights[1] = 0;
  EXPECT_EQ(verdict_of(dead).idle.dead, (std::vector<std::size_t>{1}));
  EXPECT_FALSE(verdict_of(dead).converged());
  EXPECT_THAT(warnings(verdict_of(dead)), testing::Contains(testing::HasSubstr("component 2 of 2")));

  KTensor zero = blocks.planted;
  zero.weights = {0, 0};
  EXPECT_TRUE(verdict_of(zero).zero_model());
  EXPECT_TRUE(verdict_of(zero).unusable());
  EXPECT_FALSE(verdict_of(zero).converged());

  KTensor large = blocks.planted;
  for (double& w : large.weights) w *= 1e4;
  EXPECT_TRUE(verdict_of(large).worse_than_constant());
  EXPECT_TRUE(verdict_of(large).unusable());
}

TEST(Verdict, OfAFitStandsInItsResultAndFile) {
  const SeparateBlocks blocks = separate_blocks({20, 20, 20}, 2, 5, 200, 1);
  FitOptions options;
  options.rank = 2;
  options.loss = "poisson";
  options.method = "cp-apr";
  const FitResult result = fit(blocks.tensor, options);
  EXPECT_TRUE(result.verdict.converged()) << sentence(result.verdict);
  const Json stored = to_model_file(result).summary->json["verdict"];
  EXPECT_EQ(stored["converged"], true);
  EXPECT_EQ(stored["dead"], Json::array());
  EXPECT_NEAR(stored["explained"].get<double>(), result.verdict.quality.explained(), 1e-15);

  // All zeros: the zero model is right, and nothing is to be warned of.
  const FitResult nothing = fit(Tensor(SparseTensor(IndexSpace({5, 4, 3}), Records(3))), options);
  EXPECT_TRUE(nothing.verdict.nothing_to_explain());
  EXPECT_FALSE(nothing.verdict.unusable());
  EXPECT_TRUE(warnings(nothing.verdict).empty());
}

TEST(Verdict, IsNeverConvergedWithMoreComponentsThanThereIsToExplain) {
  // A single cell: one component explains it, two others are idle or copies.
  Records records(3);
  const std::array<Index, 3> cell = {1, 2, 3};
  records.append(cell.data(), 50);
  FitOptions options;
  options.rank = 3;
  options.loss = "poisson";
  options.method = "cp-apr";
  const FitResult result = fit(Tensor(SparseTensor(IndexSpace({5, 5, 5}), std::move(records))), options);
  EXPECT_FALSE(result.verdict.idle.empty());
  EXPECT_FALSE(result.verdict.converged());
  EXPECT_NE(result.why, StopReason::converged);
}

TEST(Judged, WritesDownWhatTheFitAndItsDataSay) {
  const Tensor tensor = noisy(cells::some_model(extents, 2, 2, -1.0), 1.0);
  FitOptions options;
  options.rank = 2;
  options.loss = "gaussian";
  options.starts = 2;
  FitResult result = fit(tensor, options);
  EXPECT_FALSE(result.verdict.held_out_explained);
  Records held_out(3);
  held_out.append({0, 1, 2}, tensor.dense()->value(1 * 4 + 2));
  held_out.append({5, 4, 3}, tensor.dense()->value(119));
  const ModelFile file =
      judged(result, tensor, {.data_file = "some/where/x.npy", .command = "a command", .held_out = &held_out});

  // Held-out cells by their definition.
  double loss = 0, null_loss = 0;
  const double constant = diagnose(tensor, result.model, parse_loss("gaussian")).null_value;
  for (std::size_t i = 0; i < held_out.size(); ++i) {
    loss += std::pow(held_out.value(i) - value_at(result.model, held_out.cell(i)), 2);
    null_loss += std::pow(held_out.value(i) - constant, 2);
  }
  ASSERT_TRUE(result.verdict.held_out_explained);
  EXPECT_NEAR(*result.verdict.held_out_explained, 1 - loss / null_loss, 1e-6);

  // What is shown is what the file holds.
  const Json shown = Json::parse(json_text(file));
  EXPECT_EQ(shown["weights"], Json(result.model.weights));
  EXPECT_EQ(shown["options"], file.options->json);
  EXPECT_EQ(shown["summary"], file.summary->json);
  EXPECT_EQ(shown["summary"]["command"], "a command");
  EXPECT_EQ(shown["summary"]["verdict"], to_json(result.verdict));
  EXPECT_EQ(shown["diagnostics"]["data"]["file"], "x.npy");
  EXPECT_NEAR(shown["diagnostics"]["held-out"]["loss"].get<double>(), loss, 1e-9);
  EXPECT_FALSE(shown["diagnostics"].contains("sample"));  // cells to look at: long
  EXPECT_TRUE(file.diagnostics->json.contains("sample"));

  // Fitted again with what the file says.
  EXPECT_EQ(fit(tensor, options_of(file)).model, result.model);

  // The same figures for the model as it lies in a file.
  ModelFile again = to_model_file(result);
  ASSERT_TRUE(judge(again, tensor, {.data_file = "x.npy", .held_out = &held_out}));
  EXPECT_EQ(again.diagnostics->json, file.diagnostics->json);
  again.options = {};
  EXPECT_FALSE(judge(again, tensor));  // which loss?
}

}  // namespace
}  // namespace polyad
