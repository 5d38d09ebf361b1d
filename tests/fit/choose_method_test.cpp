// Which method, finish and number of starts `auto` means, by kinds and sizes of data and by options that are given.

#include <polyad/fit.hpp>
#include <polyad/fit/defaults.hpp>
#include <polyad/loss.hpp>
#include <polyad/solve/method_table.hpp>

#include "separate_blocks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace polyad {
namespace {

using testing::HasSubstr;
using testing::Not;

Tensor small_numbers(std::vector<std::uint64_t> extents) {
  const auto cells = std::accumulate(extents.begin(), extents.end(), std::uint64_t{1}, std::multiplies<>());
  AlignedVector<double> values(cells);
  std::mt19937_64 draw(1);
  for (double& x : values) x = static_cast<double>(draw() % 4 + 1);
  return Tensor(DenseTensor(IndexSpace(std::move(extents)), std::move(values)));
}

Tensor sparse(std::vector<std::uint64_t> extents, std::size_t nonzeros) {
  std::mt19937_64 draw(2);
  Records records(extents.size());
  std::vector<Index> index(extents.size());
  for (std::size_t n = 0; n < nonzeros; ++n) {
    for (std::size_t k = 0; k < extents.size(); ++k) index[k] = static_cast<Index>(draw() % extents[k]);
    records.append(index.data(), 1);
  }
  return Tensor(SparseTensor(IndexSpace(std::move(extents)), std::move(records)));
}

FitOptions options_of(std::string loss, std::uint64_t rank = 5) {
  FitOptions options;
  options.loss = std::move(loss);
  options.rank = rank;
  return options;
}

MethodChoice choice(const Tensor& tensor, const FitOptions& options) {
  return choose_method(options, tensor, parse_loss(options.loss), false);
}

TEST(ChooseMethod, ExactWhereDataAreSmall) {
  for (const char* loss : {"gaussian", "gamma", "poisson", "huber"}) {
    const MethodChoice small = choice(small_numbers({24, 16, 13}), options_of(loss));
    EXPECT_EQ(word_of(small.method), "gcp-full") << loss;
    EXPECT_GE(small.starts, 5u);
    EXPECT_GT(small.tries, 50u) << "which take about a tenth of a second";
    EXPECT_THAT(small.reason, HasSubstr("4,992 cells are few"));
  }
  EXPECT_EQ(word_of(choice(sparse({24, 16, 13}, 500), options_of("bernoulli-odds")).method), "gcp-full");
  const MethodChoice counts = choice(sparse({24, 16, 13}, 500), options_of("poisson"));
  EXPECT_EQ(word_of(counts.method), "cp-apr");
  EXPECT_THAT(counts.reason, HasSubstr("nonzeros are few"));
}

TEST(ChooseMethod, SamplesWhereDataAreLarge) {
  const MethodChoice large = choice(small_numbers({100, 75, 50}), options_of("gamma"));
  EXPECT_EQ(word_of(large.method), "gcp-sgd");
  EXPECT_EQ(large.finish, Finish::lbfgsb);
  EXPECT_EQ(large.starts, 5u);
  const MethodChoice counts = choice(sparse({200, 150, 100}, 200'000), options_of("poisson"));
  EXPECT_EQ(word_of(counts.method), "gcp-sgd");
  EXPECT_EQ(counts.finish, Finish::apr);
  EXPECT_EQ(word_of(choice(sparse({300, 300, 300}, 20'000), options_of("bernoulli-odds")).method), "gcp-sgd")
      << "27 million cells";
}

// Few nonzeros in very many cells: exact rows, also where the same number in fewer cells would be sampled.
TEST(ChooseMethod, ExactWhereCountsAreHypersparse) {
  const MethodChoice choice_of_blocks = choice(sparse({3000, 2000, 1000, 500}, 20'000), options_of("poisson"));
  EXPECT_EQ(word_of(choice_of_blocks.method), "cp-apr");
  EXPECT_EQ(choice_of_blocks.starts, 5u);
  EXPECT_EQ(word_of(choice(sparse({1900, 1900, 195}, 34'000), options_of("poisson")).method), "gcp-sgd");
}

TEST(ChooseMethod, GivenOptionsDecide) {
  const Tensor small = sparse({24, 16, 13}, 500);
  FitOptions options = options_of("poisson");
  options.schedule.epochs = 3;
  const MethodChoice sampled = choice(small, options);
  EXPECT_EQ(word_of(sampled.method), "gcp-sgd");
  EXPECT_EQ(sampled.finish, Finish::apr);
  EXPECT_THAT(sampled.reason, HasSubstr(option_name("epochs") + " is not used by cp-apr"));

  options = options_of("poisson");
  options.precision = Precision::in_single;
  EXPECT_EQ(word_of(choice(small, options).method), "gcp-sgd");
  options = options_of("poisson");
  options.finish = Finish::none;
  EXPECT_EQ(choice(small, options).finish, Finish::none);
  options = options_of("poisson");
  options.lbfgsb.pairs = 5;
  EXPECT_EQ(word_of(choice(small, options).method), "gcp-full");
  options = options_of("poisson");
  options.bounds.upper = 3;  // which CP-APR does not know
  EXPECT_EQ(word_of(choice(small, options).method), "gcp-full");

  options = options_of("gaussian");
  options.als.ridge = 0.1;
  EXPECT_EQ(word_of(choice(small, options).method), "cp-als");
  options.loss = "poisson";
  try {
    plan(small, options);
    FAIL() << "nothing that fits counts uses ridge";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::usage);
    EXPECT_THAT(e.what(), HasSubstr("ridge is not used by method gcp-sgd"));
  }
}

TEST(ChooseMethod, WhatIsAskedForStays) {
  const Tensor small = small_numbers({24, 16, 13});
  for (const Method method : all_methods()) {
    FitOptions options = options_of(word_of(method) == "cp-apr" ? "poisson" : "gaussian");
    options.method = method;
    options.starts = 3;
    const MethodChoice chosen = choice(small, options);
    EXPECT_EQ(chosen.method, method);
    EXPECT_EQ(chosen.starts, 3u);
    EXPECT_EQ(chosen.tries, 0u);
    EXPECT_EQ(chosen.reason, "");
  }
  EXPECT_EQ(choice(small_numbers({7, 6, 5}), options_of("gaussian", 2)).starts, 20u);
  EXPECT_EQ(choose_method(options_of("gaussian"), small, parse_loss("gaussian"), true).starts, 1u) << "from a model";
  FitOptions options;
  try {
    options.method = "cp-abr";
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::usage);
    EXPECT_THAT(e.what(), HasSubstr("did you mean 'cp-apr'?"));
  }
}

TEST(ChooseMethod, ThePlanSaysWhichAndWhy) {
  const FitPlan small = plan(small_numbers({24, 16, 13}), options_of("gaussian", 2));
  EXPECT_THAT(describe(small), HasSubstr("method gcp-full: 4,992 cells are few, so gradients are exact"));
  FitOptions options = options_of("gaussian", 2);
  options.method = "cp-als";
  EXPECT_THAT(describe(plan(small_numbers({24, 16, 13}), options)), HasSubstr("method cp-als: "));
}

TEST(ChooseMethod, ThePlanSaysHowLongItWillTake) {
  FitOptions options = options_of("negative-binomial");
  options.threads = 1;
  const Tensor large = sparse({300, 300, 300}, 20'000);
  const double expected = choice(large, options).seconds;
  EXPECT_GT(expected, 1);
  EXPECT_LT(expected, 60);
  EXPECT_THAT(describe(plan(large, options)), HasSubstr("takes about "));
  options.finish = Finish::none;
  const double epochs = choice(large, options).seconds;
  options.starts = 10;
  EXPECT_DOUBLE_EQ(choice(large, options).seconds, 2 * epochs);
  options.schedule.epochs = 2;
  EXPECT_DOUBLE_EQ(choice(large, options).seconds, 0.2 * epochs);
  EXPECT_THAT(describe(plan(small_numbers({7, 6, 5}), options_of("gaussian", 2))), Not(HasSubstr("takes")));
}

// The default on data where samples found nothing: all five blocks, and in about a second.
TEST(ChooseMethod, FindsSeparateBlocksAtOnce) {
  const SeparateBlocks blocks = separate_blocks({3000, 2000, 1000, 500}, 5, 30, 4000, 7);
  const FitResult result = fit(blocks.tensor, options_of("poisson"));
  EXPECT_EQ(word_of(*result.options.method), "cp-apr");
  EXPECT_TRUE(result.verdict.idle.dead.empty());
  EXPECT_LT(*result.exact_loss, blocks.loss) << "that of the planted model";
}

}  // namespace
}  // namespace polyad
