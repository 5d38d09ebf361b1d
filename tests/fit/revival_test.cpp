// Components that die are restarted, whatever the method; a planted model is the mark to reach.

#include "fit/separate_blocks.hpp"

#include <polyad/fields.hpp>
#include <polyad/fit.hpp>
#include <polyad/model/compare.hpp>

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <functional>
#include <random>

namespace polyad {
namespace {

FitOptions options_for(Method method, std::uint64_t rank, const char* loss = "poisson") {
  FitOptions options;
  options.rank = rank;
  options.loss = loss;
  options.method = method;
  options.starts = 2;
  return options;
}

TEST(IdleComponents, NamesTheDeadAndTheCopies) {
  KTensor model(Factors({4, 3}, 5));
  const auto set = [&](std::size_t j, std::array<double, 4> a, std::array<double, 3> b) {
    for (std::size_t i = 0; i < 4; ++i) model.factors.at(0, i, j) = a[i];
    for (std::size_t i = 0; i < 3; ++i) model.factors.at(1, i, j) = b[i];
  };
  set(0, {1, 2, 0, 0}, {1, 0, 0});
  set(1, {0, 0, 1, 1}, {0, 1, 1});
  set(2, {0, 0, 0, 0}, {1, 1, 1});
  set(3, {3, 6.001, 0, 0}, {2, 0.001, 0});
  set(4, {0, 0, 1e-12, 0}, {0, 0, 1});
  const IdleComponents idle = idle_components(model);
  EXPECT_EQ(idle.dead, (std::vector<std::size_t>{2, 4}));
  ASSERT_EQ(idle.copies.size(), 1U);
  EXPECT_EQ(idle.copies[0], (IdleComponents::Copy{3, 0}));

  model.weights[3] = -1;  // components that cancel are no copies
  EXPECT_TRUE(idle_components(model).copies.empty());
  for (double& a : model.factors.flat()) a = 0;
  EXPECT_EQ(idle_components(model).dead.size(), 5U);
}

TEST(Revival, LeavesTheZeroModelOfCountsInManyModes) {
  const SeparateBlocks blocks = separate_blocks(std::vector<std::uint64_t>(12, 30), 5, 6, 800, 1);
  for (const Method method : {Method("cp-apr"), Method("gcp-full")}) {
    const FitResult result = fit(blocks.tensor, options_for(method, 5));
    EXPECT_LE(*result.exact_loss, blocks.loss) << word_of(method);
    EXPECT_TRUE(idle_components(result.model).empty()) << word_of(method);
    EXPECT_GT(score(blocks.planted, result.model).value, 0.9) << word_of(method);
  }
}

TEST(Revival, SampledGradientsAloneFindAllBlocksToo) {
  const SeparateBlocks blocks = separate_blocks(std::vector<std::uint64_t>(12, 30), 3, 6, 800, 2);
  FitOptions options = options_for("gcp-sgd", 3);
  options.finish = Finish::none;
  options.schedule.epochs = 10;
  options.schedule.epoch_iterations = 400;
  const FitResult result = fit(blocks.tensor, options);
  EXPECT_LE(*result.exact_loss, blocks.loss * (1 + 1e-3));
  EXPECT_GT(score(blocks.planted, result.model).value, 0.9);
}

TEST(Revival, GivesTheSameBitsOnAnyNumberOfThreads) {
  const SeparateBlocks blocks = separate_blocks({60, 50, 40, 30, 30, 30, 30, 30}, 4, 5, 300, 3);
  FitOptions options = options_for("cp-apr", 4);
  options.threads = 1;
  const FitResult one = fit(blocks.tensor, options);
  for (const std::uint64_t threads : {2, 5}) {
    options.threads = threads;
    EXPECT_EQ(fit(blocks.tensor, options).model, one.model) << threads;
  }
}

TEST(Revival, AnswersTheSameAfterAResume) {
  const SeparateBlocks blocks = separate_blocks(std::vector<std::uint64_t>(12, 30), 3, 6, 500, 4);
  FitOptions options = options_for("gcp-sgd", 3);
  options.finish = Finish::none;
  options.schedule.epochs = 4;
  options.schedule.epoch_iterations = 200;
  options.starts = 1;
  const FitResult whole = fit(blocks.tensor, options);

  // Interrupted after the first start, while a revived model is under way.
  const std::string state = (std::filesystem::temp_directory_path() / "polyad-revival-test.h5").string();
  std::filesystem::remove(state);
  options.checkpoint.file = state;
  options.checkpoint.every = 0;
  std::atomic<bool> interrupt = false;
  Monitor monitor;
  monitor.interrupt = &interrupt;
  monitor.on_epoch = [&](const Progress& progress) { interrupt = progress.start > 0 && progress.row.epoch >= 2; };
  fit(blocks.tensor, options, monitor);
  ASSERT_TRUE(interrupt);

  options.checkpoint.file.clear();
  options.checkpoint.resume = state;
  EXPECT_EQ(fit(blocks.tensor, options).model, whole.model);
  std::filesystem::remove(state);
}

// A start from the truth with one component dead, or a copy of another.
KTensor spoilt(const KTensor& truth, bool as_copy) {
  KTensor model = truth;
  const std::size_t last = truth.rank() - 1;
  for (std::size_t k = 0; k < truth.modes(); ++k) {
    for (std::size_t i = 0; i < truth.factors.rows(k); ++i) {
      model.factors.at(k, i, last) = as_copy ? truth.factors.at(k, i, 0) : 0.0;
    }
  }
  return model;
}

TEST(Revival, BringsBackAComponentForEveryMethodAndKindOfLoss) {
  std::mt19937_64 draw(5);
  std::normal_distribution<double> normal;
  const std::vector<std::uint64_t> extents = {12, 10, 8};
  KTensor signed_truth(Factors(extents, 3));
  for (double& a : signed_truth.factors.flat()) a = normal(draw);
  signed_truth.factors.clear_padding();
  KTensor positive_truth = signed_truth;
  for (double& a : positive_truth.factors.flat()) a = std::abs(a) * (draw() % 2 == 0 ? 0.05 : 1.0);
  const auto dense = [&](const KTensor& truth, bool counts) {
    AlignedVector<double> values;
    for (Index a = 0; a < 12; ++a) {
      for (Index b = 0; b < 10; ++b) {
        for (Index c = 0; c < 8; ++c) {
          const double m = value_at(truth, std::array<Index, 3>{a, b, c});
          values.push_back(counts ? std::floor(5 * m) : m);
        }
      }
    }
    return Tensor(DenseTensor(IndexSpace(extents), std::move(values)));
  };
  struct Case {
    const char* loss;
    Method method;
    const KTensor& truth;
    bool counts;
  };
  for (const Case& c :
       {Case{"gaussian", "cp-als", signed_truth, false}, Case{"gaussian", "gcp-full", signed_truth, false},
        Case{"huber", "gcp-full", signed_truth, false}, Case{"poisson", "cp-apr", positive_truth, true},
        Case{"poisson", "gcp-sgd", positive_truth, true},
        Case{"negative-binomial", "gcp-full", positive_truth, true}}) {
    const Tensor tensor = dense(c.truth, c.counts);
    FitOptions options = options_for(c.method, 3, c.loss);
    options.starts = 1;
    const KTensor& good_start = c.truth;
    const FitResult good = fit(tensor, options, {}, {&good_start});
    for (const bool as_copy : {false, true}) {
      if (as_copy && c.method == "cp-apr") continue;  // its rows part two copies before they are looked at
      const KTensor bad_start = spoilt(c.truth, as_copy);
      const FitResult result = fit(tensor, options, {}, {&bad_start});
      const double scale =
          std::abs(good.starts[0].trace.front().estimate - *good.exact_loss) + std::abs(*good.exact_loss);
      EXPECT_LE(*result.exact_loss, *good.exact_loss + 0.02 * scale + 1e-6)
          << c.loss << " by " << word_of(c.method) << (as_copy ? ", a copy" : ", dead");
      EXPECT_TRUE(idle_components(result.model).empty()) << c.loss << " by " << word_of(c.method);
    }
  }
}

TEST(Revival, LeavesFixedModesAndDataWithoutStructureAlone) {
  const std::vector<std::uint64_t> extents = {6, 5, 4};
  Tensor zeros(SparseTensor(IndexSpace(extents), Records(3)));
  FitOptions options = options_for("cp-apr", 2);
  const FitResult nothing = fit(zeros, options);
  EXPECT_EQ(idle_components(nothing.model).dead.size(), 2U);

  const SeparateBlocks blocks = separate_blocks({10, 10, 10}, 2, 5, 100, 6);
  KTensor given = spoilt(blocks.planted, false);
  for (std::size_t i = 0; i < 10; ++i) given.factors.at(1, i, 1) = blocks.planted.factors.at(1, i, 1);
  options.bounds.modes = {"2:fixed"};
  options.starts = 1;
  const FitResult fixed = fit(blocks.tensor, options, {}, {&given});
  EXPECT_LE(*fixed.exact_loss, blocks.loss + 1e-6);
  EXPECT_GT(score(blocks.planted, fixed.model).value, 0.9);
}

}  // namespace
}  // namespace polyad
