// A model that goes on learning: as good as a fit on everything, components that come and go, what is remembered, what grows.

#include "fit/cells.hpp"

#include <polyad/apply/model_rows.hpp>
#include <polyad/apply/slice_memory.hpp>
#include <polyad/apply/update.hpp>
#include <polyad/base/error.hpp>
#include <polyad/evaluate.hpp>
#include <polyad/fit.hpp>
#include <polyad/fit/plan.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/loss/all.hpp>
#include <polyad/tensor/tensor.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <numeric>
#include <random>

namespace polyad {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> names(const std::string& kind, std::uint64_t count) {
  std::vector<std::string> out;
  for (std::uint64_t i = 0; i < count; ++i) out.push_back(kind + std::to_string(i + 1));
  return out;
}

// Data around a model, day x hour x place, with labels.
Tensor drawn(const KTensor& truth, const std::string& loss, unsigned seed) {
  std::mt19937_64 rng(seed);
  const std::vector<std::uint64_t>& extents = truth.factors.extents();
  AlignedVector<double> values;
  cells::for_each(extents, [&](const std::vector<Index>& index) {
    const double m = cells::value_of(truth, index);
    values.push_back(loss == "poisson" ? static_cast<double>(std::poisson_distribution<int>(m)(rng))
                     : loss == "gamma" ? std::gamma_distribution<double>(2, m / 2)(rng)
                                       : m + std::normal_distribution<double>(0, 0.3)(rng));
  });
  return {
      DenseTensor(IndexSpace(extents), std::move(values)),
      Labels({{"day", names("d", extents[0])}, {"hour", names("h", extents[1])}, {"place", names("p", extents[2])}})};
}

// Components in blocks of hours and places, so that they are easy to tell apart; present from day begin[j] to end[j].
KTensor blocks(std::uint64_t days, const std::vector<std::pair<std::uint64_t, std::uint64_t>>& present, double size) {
  const std::size_t r = present.size();
  KTensor truth(Factors({days, 4 * r, 3 * r}, r));
  std::mt19937_64 rng(7);
  std::uniform_real_distribution<double> entry(0.5, 1.5);
  for (std::size_t j = 0; j < r; ++j) {
    truth.weights[j] = size;
    for (std::size_t i = 0; i < days; ++i) {
      truth.factors.at(0, i, j) = i >= present[j].first && i < present[j].second ? entry(rng) : 0.0;
    }
    for (std::size_t i = 0; i < 4 * r; ++i) truth.factors.at(1, i, j) = i / 4 == j ? entry(rng) : 0.02;
    for (std::size_t i = 0; i < 3 * r; ++i) truth.factors.at(2, i, j) = i / 3 == j ? entry(rng) : 0.02;
  }
  return truth;
}

Tensor days(const Tensor& all, Index begin, Index end) {
  std::vector<Index> which(end - begin);
  std::iota(which.begin(), which.end(), begin);
  return part_of(all, 0, which);
}

FitOptions options_for(const std::string& loss, std::size_t rank) {
  FitOptions options;
  options.rank = rank;
  options.loss = loss;
  options.method = "gcp-full";
  options.starts = 3;
  return options;
}

ModelFile fitted(const Tensor& tensor, const std::string& loss, std::size_t rank) {
  return to_model_file(fit(tensor, options_for(loss, rank)));
}

double deviance(const Tensor& tensor, const KTensor& found, const std::string& loss) {
  const Loss parsed = parse_loss(loss);
  const ModelQuality quality = evaluate(tensor, found, parsed, evaluate_settings(parsed)).verdict.quality;
  return quality.loss - quality.best_loss;
}

TEST(Update, OfStationaryDataIsAsGoodAsAFitOnEverything) {
  for (const std::string loss : {"poisson", "gaussian", "gamma"}) {
    SCOPED_TRACE(loss);
    KTensor truth = cells::some_model({60, 8, 7}, 2, 3, 0.1);
    for (double& w : truth.weights) w *= 5;
    const Tensor all = drawn(truth, loss, 1);
    const Updated result = update(fitted(days(all, 0, 45), loss, 2), days(all, 45, 60), {});
    ASSERT_EQ(result.model.factors.extents(), (std::vector<std::uint64_t>{60, 8, 7}));
    EXPECT_EQ(result.labels, all.labels());
    EXPECT_THAT(result.born, IsEmpty());
    EXPECT_THAT(result.died, IsEmpty());
    const double best = deviance(all, fit(all, options_for(loss, 2)).model, loss);
    EXPECT_LE(deviance(all, result.model, loss), 1.01 * best);
    // A transform alone, which learns nothing about hours and places, must be worse on the new days than the update.
    for (const UpdatedSlice& slice : result.slices) EXPECT_TRUE(std::isfinite(slice.after));
    double gain = 0;
    for (const UpdatedSlice& slice : result.slices) gain += slice.before - slice.after;
    EXPECT_GT(gain, 0);
  }
}

TEST(Update, SparseDataGoOnLikeDenseOnes) {
  KTensor truth = cells::some_model({40, 6, 5}, 2, 3, 0.1);
  const Tensor dense = drawn(truth, "poisson", 2);
  Records records(3);
  cells::for_each({40, 6, 5}, [&](const std::vector<Index>& index) {
    const double x = dense.dense()->value(dense.dense()->position(index));
    if (x != 0) records.append(index.data(), x);
  });
  const Tensor sparse(SparseTensor(IndexSpace({40, 6, 5}), std::move(records)), dense.labels());
  const ModelFile file = fitted(days(dense, 0, 30), "poisson", 2);
  const Updated a = update(file, days(dense, 30, 40), {});
  const Updated b = update(file, days(sparse, 30, 40), {});
  for (std::size_t j = 0; j < 2; ++j) EXPECT_NEAR(a.model.weights[j], b.model.weights[j], 1e-4 * a.model.weights[j]);
}

TEST(Update, AComponentIsBornWhenItAppears) {
  const Tensor all = drawn(blocks(72, {{0, 72}, {0, 72}, {36, 72}}, 3), "poisson", 4);
  ModelFile file = fitted(days(all, 0, 24), "poisson", 2);
  std::vector<std::size_t> born_at;
  for (Index begin = 24; begin < 72; begin += 12) {
    const Updated result = update(file, days(all, begin, begin + 12), {});
    for (const std::size_t j : result.born) {
      EXPECT_EQ(j, 2u);
      born_at.push_back(begin);
      for (std::size_t i = 0; i < begin; ++i) EXPECT_EQ(result.model.factors.at(0, i, j), 0) << "old day " << i;
    }
    file = to_model_file(result, file, {});
  }
  EXPECT_THAT(born_at, ElementsAre(36));
  EXPECT_EQ(file.options->json["rank"], 3);
  EXPECT_EQ(file.summary->json["updates"].size(), 4u);
  EXPECT_EQ(file.summary->json["updates"][1]["born"], Json::array({3}));
  EXPECT_EQ(file.summary->json["updates"][0]["slices"].size(), 12u);
  EXPECT_EQ(file.summary->json["updates"][0]["slices"][0]["label"], "d25");
  const double best = deviance(all, fit(all, options_for("poisson", 3)).model, "poisson");
  EXPECT_LE(deviance(all, file.model, "poisson"), 1.02 * best);

  UpdateOptions none;
  none.births = Births::none;
  EXPECT_EQ(update(fitted(days(all, 0, 24), "poisson", 2), days(all, 36, 48), none).model.rank(), 2u);
}

TEST(Update, AComponentDiesWhenNothingRemembersIt) {
  const Tensor all = drawn(blocks(80, {{0, 80}, {0, 80}, {0, 30}}, 3), "poisson", 5);
  const ModelFile file = fitted(days(all, 0, 40), "poisson", 3);
  UpdateOptions forgetful;
  forgetful.forget = 0.7;
  const Updated gone = update(file, days(all, 40, 80), forgetful);
  EXPECT_EQ(gone.model.rank(), 2u);
  EXPECT_EQ(gone.died.size(), 1u);
  EXPECT_EQ(update(file, days(all, 40, 80), {}).model.rank(), 3u);
}

TEST(Update, DaysOneByOneCountAsAMonthDoes) {
  const Tensor all = drawn(blocks(20, {{0, 20}, {0, 20}}, 3), "poisson", 6);
  const ModelFile file = fitted(days(all, 0, 12), "poisson", 2);
  UpdateOptions options;
  options.forget = 0.9;
  const Updated at_once = update(file, days(all, 12, 20), options);
  ModelFile stepwise = file;
  std::vector<double> remembered;
  for (Index day = 12; day < 20; ++day) {
    const Updated step = update(stepwise, days(all, day, day + 1), options);
    remembered = step.remembered;
    stepwise = to_model_file(step, stepwise, options);
  }
  ASSERT_EQ(remembered.size(), 20u);
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_NEAR(remembered[i], std::pow(0.9, i < 12 ? 8 : 19 - static_cast<double>(i)), 1e-12);
    EXPECT_NEAR(remembered[i], at_once.remembered[i], 1e-12);
  }
  EXPECT_EQ(stepwise.labels, all.labels());
}

// The more is forgotten, the more the model follows the new days.
TEST(Update, ForgettingFollowsTheNewDays) {
  KTensor before = blocks(60, {{0, 60}, {0, 60}}, 4), after = before;
  for (std::size_t i = 0; i < 4; ++i) after.factors.at(1, i, 0) = before.factors.at(1, 3 - i, 0);
  const Tensor old = days(drawn(before, "poisson", 7), 0, 40), recent = days(drawn(after, "poisson", 8), 40, 60);
  const ModelFile file = fitted(old, "poisson", 2);
  std::vector<double> loss;
  for (const double forget : {1.0, 0.95, 0.0}) {
    UpdateOptions options;
    options.forget = forget;
    options.births = Births::none;
    double sum = 0;
    for (const UpdatedSlice& slice : update(file, recent, options).slices) sum += slice.after;
    loss.push_back(sum);
  }
  EXPECT_GT(loss[0], loss[1]);
  EXPECT_GT(loss[1], loss[2]);
  // Nothing remembered: the new days alone decide.
  FitOptions options = options_for("poisson", 2);
  EXPECT_NEAR(loss[2], *fit(recent, options).exact_loss, 1e-3 * std::abs(loss[2]));
}

TEST(Update, ModesGrowByNewLabels) {
  const Tensor all = drawn(blocks(30, {{0, 30}, {0, 30}}, 4), "poisson", 9);
  const std::vector<Index> some_places = {0, 1, 2, 3, 5}, all_places = {5, 4, 0, 3, 2, 1};
  const ModelFile file = fitted(part_of(days(all, 0, 20), 2, some_places), "poisson", 2);
  const Tensor recent = part_of(days(all, 20, 30), 2, all_places);
  UpdateOptions options;
  options.mode = "day";
  const Updated result = update(file, recent, options);
  EXPECT_THAT(result.labels.mode(2).entries, ElementsAre("p1", "p2", "p3", "p4", "p6", "p5"));
  EXPECT_EQ(result.model.factors.extents(), (std::vector<std::uint64_t>{30, 8, 6}));
  // The new place is one of the second block, as its neighbours are.
  const std::size_t second = result.model.factors.at(2, 3, 0) > result.model.factors.at(2, 3, 1) ? 0 : 1;
  EXPECT_GT(result.model.factors.at(2, 5, second), 5 * result.model.factors.at(2, 5, 1 - second));
  options.unknown = Growth::ignore;
  EXPECT_EQ(update(file, recent, options).model.factors.rows(2), 5u);
  const auto message = [&](const UpdateOptions& given) {
    try {
      update(file, recent, given);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  options.unknown = Growth::error;
  EXPECT_THAT(message(options), HasSubstr("place: the model does not know 'p5'"));
  EXPECT_THAT(message({}), HasSubstr("several modes have labels that the model does not know"));
  options.loss = "gaussian";
  EXPECT_THAT(message(options), HasSubstr("fitted with loss poisson"));
}

TEST(Update, AKnownDayIsReplaced) {
  const Tensor all = drawn(blocks(20, {{0, 20}, {0, 20}}, 4), "poisson", 10);
  const ModelFile file = fitted(days(all, 0, 16), "poisson", 2);
  UpdateOptions options;
  options.mode = "day";
  const Updated result = update(file, days(all, 14, 20), options);
  EXPECT_EQ(result.known_again, 2u);
  EXPECT_EQ(result.model.factors.rows(0), 20u);
  EXPECT_EQ(result.labels, all.labels());
}

TEST(Update, TheChoiceOfSlicesOverAStreamIsTheChoiceAtItsEnd) {
  const std::vector<std::string> all = names("day ", 200);
  std::vector<double> counts(200, 1.0);
  const std::vector<std::size_t> at_end = slices_to_keep(all, counts, 20, 1);
  std::vector<std::string> kept;
  for (std::size_t begin = 0; begin < 200; begin += 25) {
    kept.insert(kept.end(), all.begin() + static_cast<std::ptrdiff_t>(begin),
                all.begin() + static_cast<std::ptrdiff_t>(begin + 25));
    std::vector<std::string> next;
    for (const std::size_t i : slices_to_keep(kept, std::vector<double>(kept.size(), 1.0), 20, 1))
      next.push_back(kept[i]);
    kept = next;
  }
  std::vector<std::string> chosen;
  for (const std::size_t i : at_end) chosen.push_back(all[i]);
  EXPECT_EQ(kept, chosen);
  // Over seeds every slice is kept as often as any other, and one that counts a tenth about a tenth as often.
  for (std::size_t i = 100; i < 200; ++i) counts[i] = 0.1;
  double early = 0, late = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    for (const std::size_t i : slices_to_keep(all, counts, 10, seed)) (i < 100 ? early : late) += 1;
  }
  EXPECT_NEAR(late / early, 0.1, 0.03);
}

TEST(Update, AMemoryKeepsSlicesAsTheyAre) {
  const Tensor all = drawn(blocks(60, {{0, 60}, {0, 60}}, 3), "poisson", 11);
  ModelFile file = fitted(days(all, 0, 30), "poisson", 2);
  UpdateOptions options;
  options.memory_slices = 24;
  std::optional<Tensor> memory = days(all, 0, 30);
  for (Index begin = 30; begin < 60; begin += 15) {
    const Updated result = update(file, days(all, begin, begin + 15), options, {&*memory, true});
    memory = result.memory;
    file = to_model_file(result, file, options);
  }
  ASSERT_EQ(memory->space().extent(0), 24u);
  const double best = deviance(all, fit(all, options_for("poisson", 2)).model, "poisson");
  EXPECT_LE(deviance(all, file.model, "poisson"), 1.02 * best);
  const auto& labels = all.labels().mode(0).entries;
  for (Index n = 0; n < 24; ++n) {
    const auto at = std::ranges::find(labels, memory->labels().mode(0).entries[n]);
    ASSERT_NE(at, labels.end());
    const auto day = static_cast<Index>(at - labels.begin());
    for (Index hour = 0; hour < 8; ++hour) {
      const std::vector<Index> here = {n, hour, 1}, there = {day, hour, 1};
      EXPECT_EQ(memory->dense()->value(memory->dense()->position(here)),
                all.dense()->value(all.dense()->position(there)));
    }
  }
}

TEST(Update, ThreadsDoNotMatterAndAnInterruptKeepsTheModel) {
  const Tensor all = drawn(blocks(40, {{0, 40}, {0, 40}, {20, 40}}, 3), "poisson", 12);
  const ModelFile file = fitted(days(all, 0, 20), "poisson", 2);
  UpdateOptions options;
  options.threads = 1;
  const Updated one = update(file, days(all, 20, 40), options);
  options.threads = 3;
  EXPECT_EQ(one.model, update(file, days(all, 20, 40), options).model);
  const std::atomic<bool> stop = true;
  Monitor monitor;
  monitor.interrupt = &stop;
  const Updated cut = update(file, days(all, 20, 40), options, {}, monitor);
  EXPECT_EQ(cut.why, StopReason::interrupted);
  EXPECT_EQ(cut.model.factors.rows(0), 40u);
  EXPECT_TRUE(cut.model.factors.all_finite());
}

}  // namespace
}  // namespace polyad
