// The rank by held-out cells: the search over ranks, the rule, paired differences by hand, and planted ranks found.

#include <polyad/base/error.hpp>
#include <polyad/base/rng.hpp>
#include <polyad/problems/problem.hpp>
#include <polyad/select.hpp>
#include <polyad/select/larger_start.hpp>
#include <polyad/select/ranks.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <sample/errors.hpp>

namespace polyad::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Ranks, AreReadAsListsAndRanges) {
  EXPECT_THAT(parse_ranks(""), ElementsAre());
  EXPECT_THAT(parse_ranks("auto"), ElementsAre());
  EXPECT_THAT(parse_ranks("3"), ElementsAre(3));
  EXPECT_THAT(parse_ranks("8,2:4,3"), ElementsAre(2, 3, 4, 8));
  EXPECT_THAT(message_of([] { parse_ranks("0:3"); }), HasSubstr("not from 1"));
  EXPECT_THAT(message_of([] { parse_ranks("5:3"); }), HasSubstr("counts down"));
  EXPECT_THAT(message_of([] { parse_ranks("2,x"); }), HasSubstr("ranks"));
}

/// Held-out loss as it is: steep below the right rank, slowly rising above it.
std::vector<Candidate> with_rank(std::vector<Candidate> candidates, std::uint64_t rank, std::uint64_t right) {
  Candidate made;
  made.rank = rank;
  made.fits.resize(1);
  const auto distance = static_cast<double>(rank) - static_cast<double>(right);
  made.explained = 0.5 - (distance < 0 ? -0.05 * distance : 0.001 * distance);
  candidates.push_back(made);
  std::ranges::sort(candidates, {}, &Candidate::rank);
  double most = 0;
  for (const Candidate& c : candidates) most = std::max(most, c.explained);
  for (Candidate& c : candidates) {
    c.behind = most - c.explained;
    c.behind_error = 0.0005;
  }
  return candidates;
}

TEST(Ranks, TheSearchEndsAtTheRightRank) {
  for (std::uint64_t right = 1; right <= 16; ++right) {
    std::vector<Candidate> candidates;
    while (const auto rank = next_rank(candidates)) {
      ASSERT_TRUE(std::ranges::none_of(candidates, [&](const Candidate& c) { return c.rank == *rank; })) << right;
      candidates = with_rank(candidates, *rank, right);
      ASSERT_LT(candidates.size(), 14u);
    }
    Choice choice;
    choice.candidates = candidates;
    recommend(choice, false);
    EXPECT_EQ(choice.chosen().rank, right);
    // Ranks far above are not tried.
    EXPECT_LE(candidates.back().rank, 3 * right);
  }
}

TEST(Ranks, TheReasonIsOneSentence) {
  const auto chosen = [](std::vector<std::uint64_t> ranks, std::uint64_t right) {
    Choice choice;
    for (const std::uint64_t rank : ranks) choice.candidates = with_rank(choice.candidates, rank, right);
    recommend(choice, true);
    return choice;
  };
  EXPECT_THAT(chosen({1, 2, 3}, 1).reason, HasSubstr("no structure beyond the margins"));
  EXPECT_THAT(chosen({1, 2, 3, 4}, 3).reason, HasSubstr("rank 3 explains 50 %"));
  EXPECT_THAT(chosen({1, 2, 3, 4}, 9).reason, HasSubstr("still explained better and better"));
  Choice close = chosen({2, 3, 4}, 3);
  close.candidates[0].behind = 0.0004;
  recommend(close, true);
  EXPECT_EQ(close.chosen().rank, 2u);
  EXPECT_THAT(close.reason, HasSubstr("within one standard error of the best"));
  Choice nothing = chosen({1, 2}, 1);
  nothing.candidates[0].explained = -0.01;
  recommend(nothing, true);
  EXPECT_THAT(nothing.reason, HasSubstr("no structure to be found"));
}

TEST(LargerStart, KeepsTheSmallerModel) {
  GaussianOptions made;
  made.shape = "7x6x5";
  made.rank = 2;
  const KTensor smaller = make_problem(made).truth;
  for (const double lower : {0.0, -std::numeric_limits<double>::infinity()}) {
    const KTensor larger = with_more_components(smaller, 4, lower, 1);
    EXPECT_EQ(larger.rank(), 4u);
    EXPECT_NEAR(score(smaller, larger).value, 1.0, 1e-9);
    bool negative = false, all_positive = true;
    for (std::size_t i = 0; i < 7; ++i) {
      negative = negative || larger.factors.at(0, i, 3) < 0;
      all_positive = all_positive && larger.factors.at(0, i, 3) > 0;
    }
    EXPECT_EQ(negative, lower < 0);
    EXPECT_EQ(all_positive, lower == 0);
  }
}

Tensor planted_gaussian(std::uint64_t rank, double snr, std::uint64_t seed) {
  GaussianOptions made;
  made.shape = "16x14x12";
  made.rank = rank;
  made.snr = snr;
  made.seed = seed;
  return make_problem(made).tensor;
}

FitOptions gaussian() {
  FitOptions options;
  options.loss = "gaussian";
  return options;
}

TEST(Select, FindsAPlantedRankAndPairsTheDifferences) {
  const Tensor tensor = planted_gaussian(3, 2, 1);
  SelectOptions select_options;
  select_options.repeats = 2;
  const Choice choice = select(tensor, gaussian(), select_options);
  EXPECT_EQ(choice.chosen().rank, 3u) << describe(choice);
  ASSERT_TRUE(choice.chosen().found_again);
  EXPECT_GT(*choice.chosen().found_again, 2.5);
  EXPECT_THAT(describe(choice), HasSubstr(">   3"));
  EXPECT_THAT(json_text(choice), HasSubstr("\"rank\": 3"));

  // A difference by hand: the same cells, the squares of both models' errors.
  const Candidate& worse = choice.candidates[0];
  const Candidate& best = choice.candidates[choice.best];
  ASSERT_EQ(worse.fits.size(), 2u);
  double behind = 0;
  for (std::size_t n = 0; n < 2; ++n) {
    HoldoutOptions holdout{.cells = "0.1"};
    holdout.seed += n;
    const HeldOutSplit split = hold_out(tensor, holdout);
    double sum = 0;
    for (std::size_t r = 0; r < split.cells.size(); ++r) {
      const double x = split.cells.value(r);
      const double a = x - value_at(worse.fits[n].model, split.cells.cell(r));
      const double b = x - value_at(best.fits[n].model, split.cells.cell(r));
      sum += split.cells.weight(r) * (a * a - b * b);
    }
    behind += sum / (worse.fits[n].null_loss - worse.fits[n].best_loss) / 2;
  }
  EXPECT_NEAR(worse.behind, behind, 1e-5);
  EXPECT_GT(worse.behind_error, 0);
  EXPECT_LT(worse.behind_error, worse.behind);
}

TEST(Select, NoiseIsRankOne) {
  Generator random(RandomStream(5, Purpose::problem));
  std::vector<double> values(14 * 12 * 10);
  for (double& x : values) x = random.unit() + random.unit() + random.unit();
  SelectOptions select_options;
  select_options.repeats = 2;
  const Choice choice = select(Tensor::dense({14, 12, 10}, values), gaussian(), select_options);
  EXPECT_EQ(choice.chosen().rank, 1u) << describe(choice);
}

TEST(Select, EndsWithWhatItHasWhenInterrupted) {
  const Tensor tensor = planted_gaussian(2, 3, 2);
  std::atomic<bool> stop = false;
  SelectMonitor monitor;
  monitor.fit.interrupt = &stop;
  std::size_t fits = 0;
  monitor.on_fit = [&](const SelectProgress& news) {
    EXPECT_EQ(news.fits_done, fits);
    if (++fits == 3) stop = true;  // before the third fit: rank 2, which is then dropped
  };
  SelectOptions select_options;
  select_options.repeats = 2;
  const Choice choice = select(tensor, gaussian(), select_options, monitor);
  EXPECT_TRUE(choice.interrupted);
  EXPECT_EQ(choice.candidates.size(), 1u);
  EXPECT_THAT(describe(choice), HasSubstr("ended early"));
}

TEST(Select, RefusesWhatCannotBe) {
  const Tensor tensor = planted_gaussian(2, 3, 2);
  FitOptions no_loss;
  EXPECT_THAT(message_of([&] { select(tensor, no_loss); }), HasSubstr("no loss given"));
  SelectOptions no_repeats;
  no_repeats.repeats = 0;
  EXPECT_THAT(message_of([&] { select(tensor, gaussian(), no_repeats); }), HasSubstr("repeats"));
}

}  // namespace
}  // namespace polyad::test
