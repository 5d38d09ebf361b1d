// What is surprising, against a look at every cell with the probabilities of loss/likelihood.hpp, which were computed otherwise.

#include "fit/cells.hpp"

#include <polyad/apply/large_cells.hpp>
#include <polyad/apply/surprise.hpp>
#include <polyad/apply/surprise_law.hpp>
#include <polyad/apply/transform.hpp>
#include <polyad/base/error.hpp>
#include <polyad/base/json_value.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/loss/all.hpp>
#include <polyad/problems/problem.hpp>
#include <polyad/tensor/tensor.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

namespace polyad {
namespace {

using ::testing::HasSubstr;

const std::vector<std::uint64_t> shape = {9, 7, 6};
constexpr double some_scale = 1.3;

std::vector<Loss> losses_with_a_law() {
  std::vector<Loss> losses;
  for (const Loss& loss : all_losses()) {
    if (loss.info().law != Law::none) losses.push_back(loss);
  }
  losses.push_back(parse_loss("negative-binomial:r=2.5"));
  losses.push_back(parse_loss("beta-divergence:beta=0"));
  return losses;
}

double mean_of(const Loss& loss, double m) {
  double mean = 0;
  mean_values(loss, 1, &m, &mean);
  return mean;
}

// A value from the law.
double drawn(const Loss& loss, double mean, std::mt19937_64& rng) {
  switch (loss.info().law) {
    case Law::normal:
      return std::normal_distribution<double>(mean, some_scale)(rng);
    case Law::poisson:
      return static_cast<double>(std::poisson_distribution<int>(mean)(rng));
    case Law::negative_binomial: {
      const double r = loss.parameters().front().second;
      const double rate = std::gamma_distribution<double>(r, mean / r)(rng);
      return static_cast<double>(std::poisson_distribution<int>(std::max(rate, 1e-12))(rng));
    }
    case Law::zero_truncated_poisson: {
      std::poisson_distribution<int> draw(std::max(untruncated_rate(mean), 1e-6));
      for (int tries = 0; tries < 10000; ++tries) {
        if (const int x = draw(rng); x > 0) return x;
      }
      return 1;
    }
    case Law::bernoulli:
      return std::bernoulli_distribution(mean)(rng) ? 1 : 0;
    case Law::gamma:
      return std::gamma_distribution<double>(some_scale, mean / some_scale)(rng);
    case Law::rayleigh:
      return std::weibull_distribution<double>(2, 2 * mean / std::sqrt(M_PI))(rng);
    case Law::none:
      break;
  }
  return 0;
}

// Data of a model with a few cells missing: sparse where zeros are data of the loss, otherwise listed cells alone.
struct Example {
  explicit Example(const Loss& given, unsigned seed = 5) : loss(given), tensor(DenseTensor(IndexSpace({1}), {0.0})) {
    const bool plain = loss.info().lower == 0;
    file.model = cells::some_model(shape, 3, seed, plain ? 0.01 : -1.0);
    for (double& w : file.model.weights) w *= loss.info().law == Law::bernoulli || !plain ? 1.0 : 3.0;
    file.options->json["loss"] = loss.spec();
    std::mt19937_64 rng(seed);
    zeros = contains(loss.info().domain, 0);
    Records entries(3), missing(3);
    cells::for_each(shape, [&](const std::vector<Index>& index) {
      const double x = drawn(loss, mean_of(loss, cells::value_of(file.model, index)), rng);
      const bool gone = rng() % 29 == 0;
      if (gone) missing.append(index.data(), 0);
      if (gone || (zeros && (x == 0 || rng() % 5 == 0))) return;  // every fifth is silent
      entries.append(index.data(), x);
    });
    SparseTensor sparse(IndexSpace(shape), entries, zeros ? Unlisted::zero : Unlisted::missing);
    if (zeros) sparse.set_missing(missing);
    tensor = Tensor(std::move(sparse));
  }

  SurpriseOptions options() const {
    SurpriseOptions out;
    if (has_scale(loss.info())) out.scale = some_scale;
    if (has_dispersion(loss.info())) out.dispersion = 1;
    return out;
  }
  bool observed(const std::vector<Index>& index) const {
    const SparseTensor& sparse = *tensor.sparse();
    return sparse.is_listed(index.data()) || (zeros && !sparse.is_missing(index.data()));
  }
  double value(const std::vector<Index>& index) const {
    const SparseTensor& sparse = *tensor.sparse();
    return sparse.is_listed(index.data()) ? sparse.records().value(sparse.find(index.data())) : 0.0;
  }

  Loss loss;
  ModelFile file;
  Tensor tensor;
  bool zeros = false;
};

double brute_log_p(const Likelihood& law, double mean, double x) {
  const double own = law.discrete() ? law.probability(mean, x) : 0.0;
  const double lower = law.at_most(mean, x) - own / 2, upper = law.at_least(mean, x) - own / 2;
  return std::log(std::min(1.0, 2 * std::min(lower, upper)));
}

struct BruteCell {
  double log_p;
  std::vector<Index> index;
};

std::vector<BruteCell> brute_cells(const Example& example) {
  const auto law = Likelihood::of(example.loss, some_scale);
  std::vector<BruteCell> all;
  cells::for_each(shape, [&](const std::vector<Index>& index) {
    if (!example.observed(index)) return;
    const double mean = mean_of(example.loss, cells::value_of(example.file.model, index));
    all.push_back({brute_log_p(*law, mean, example.value(index)), index});
  });
  std::ranges::stable_sort(all, [](const BruteCell& a, const BruteCell& b) { return a.log_p < b.log_p; });
  return all;
}

TEST(Surprise, TheFirstCellsAreThoseOfALookAtEveryCell) {
  for (const Loss& loss : losses_with_a_law()) {
    const Example example(loss);
    const std::vector<BruteCell> all = brute_cells(example);
    SurpriseOptions options = example.options();
    options.false_alarms = 0.3;
    for (const std::uint64_t top : {5u, 40u}) {
      options.top = top;
      const Surprise result = surprise(example.file, example.tensor, options);
      EXPECT_TRUE(result.exact);
      EXPECT_EQ(result.cells.tested, static_cast<double>(all.size())) << loss.spec();
      std::size_t listed = 0;
      while (listed < all.size() && listed < top && all[listed].log_p <= std::log(0.1)) ++listed;
      ASSERT_EQ(result.cells.findings.size(), listed) << loss.spec();
      for (std::size_t t = 0; t < listed; ++t) {
        const SurpriseEntry& finding = result.cells.findings[t];
        EXPECT_NEAR(finding.log_p, all[t].log_p, 1e-6 * (1 + std::abs(all[t].log_p))) << loss.spec() << " " << t;
        if (t + 1 < all.size() && all[t + 1].log_p - all[t].log_p > 1e-6 &&
            (t == 0 || all[t].log_p - all[t - 1].log_p > 1e-6)) {
          EXPECT_EQ(finding.index, all[t].index) << loss.spec() << " " << t;
        }
        EXPECT_EQ(finding.observed, example.value(finding.index));
        EXPECT_EQ(finding.side > 0, finding.residual > 0)
            << loss.spec() << " " << finding.observed << " " << finding.expected;
      }
      // Benjamini and Hochberg over all cells.
      std::size_t marked = 0;
      for (std::size_t k = 1; k <= all.size(); ++k) {
        if (std::exp(all[k - 1].log_p) <= 0.3 * static_cast<double>(k) / static_cast<double>(all.size())) marked = k;
      }
      EXPECT_EQ(result.cells.marked, marked) << loss.spec();
    }
  }
}

TEST(Surprise, SomeZerosAreAmongThem) {
  const Example example(parse_loss("poisson"));
  SurpriseOptions options = example.options();
  options.direction = Direction::less;
  const Surprise result = surprise(example.file, example.tensor, options);
  ASSERT_FALSE(result.cells.findings.empty());
  const SurpriseEntry& first = result.cells.findings.front();
  EXPECT_EQ(first.observed, 0);
  EXPECT_EQ(first.side, -1);
  EXPECT_NEAR(first.log_p, -first.expected, 1e-9);
  EXPECT_NEAR(first.residual, -std::sqrt(2 * first.expected), 1e-9);
  EXPECT_GT(first.low, 0);
  for (const SurpriseEntry& finding : result.cells.findings) EXPECT_EQ(finding.side, -1);
}

TEST(Surprise, TotalsAreSumsOverTheirCells) {
  for (const Loss& loss : losses_with_a_law()) {
    const Example example(loss);
    SurpriseOptions options = example.options();
    options.top = 1000;
    const Surprise result = surprise(example.file, example.tensor, options);
    ASSERT_EQ(result.slices.size(), 3u);
    ASSERT_EQ(result.pairs.size(), 3u);
    for (const auto* lists : {&result.slices, &result.pairs}) {
      for (const SurpriseList& list : *lists) {
        std::map<std::vector<Index>, std::pair<double, double>> sums;
        cells::for_each(shape, [&](const std::vector<Index>& index) {
          if (!example.observed(index)) return;
          std::vector<Index> part;
          for (const std::size_t k : list.modes) part.push_back(index[k]);
          sums[part].first += example.value(index);
          sums[part].second += mean_of(loss, cells::value_of(example.file.model, index));
        });
        EXPECT_EQ(list.tested, static_cast<double>(sums.size()));
        for (const SurpriseEntry& finding : list.findings) {
          const auto& [observed, expected] = sums.at(finding.index);
          EXPECT_NEAR(finding.observed, observed, 1e-9 * (1 + std::abs(observed))) << loss.spec();
          EXPECT_NEAR(finding.expected, expected, 1e-7 * (1 + std::abs(expected))) << loss.spec();
        }
      }
    }
  }
}

// p of data drawn from the model is uniform: Kolmogorov and Smirnov's distance over cells. Where values are discrete, the place
// within the step of x is drawn here.
TEST(Surprise, ProbabilitiesOfDataFromTheModelAreUniform) {
  std::mt19937_64 rng(11);
  std::uniform_real_distribution<double> unit(0, 1), log_m(-2, 3.5);
  for (const Loss& loss : losses_with_a_law()) {
    constexpr std::size_t n = 20000;
    Batch batch;
    batch.resize(1, n, false);
    std::vector<double> mean(n);
    for (std::size_t t = 0; t < n; ++t) {
      const double m = loss.info().lower == 0 ? std::exp(log_m(rng)) : log_m(rng);
      mean[t] = mean_of(loss, m);
      batch.x[t] = drawn(loss, mean[t], rng);
      batch.w[t] = 1;
    }
    const Scatter scatter = scatter_of(loss, batch, mean);
    if (has_scale(loss.info())) {
      EXPECT_NEAR(*scatter.scale, some_scale, 0.04) << loss.spec();
    }
    EXPECT_NEAR(scatter.dispersion, 1, 0.04);
    const SurpriseLaw law(loss, scatter.scale, scatter.dispersion);
    const auto likelihood = Likelihood::of(loss, scatter.scale);
    std::vector<double> p(n);
    for (std::size_t t = 0; t < n; ++t) {
      const Tail tail = law.cell(mean[t], batch.x[t]);
      const double half = std::exp(tail.log_p) / 2, lower = tail.side < 0 ? half : 1 - half;
      const double own = law.discrete() ? likelihood->probability(mean[t], batch.x[t]) : 0.0;
      p[t] = lower + (unit(rng) - 0.5) * own;
    }
    std::ranges::sort(p);
    double distance = 0;
    for (std::size_t t = 0; t < n; ++t) {
      distance = std::max({distance, std::abs(p[t] - static_cast<double>(t) / n), std::abs(p[t] - (t + 1.0) / n)});
    }
    EXPECT_LT(distance * std::sqrt(static_cast<double>(n)), 1.95) << loss.spec();  // 1.95: one in a thousand
  }
}

TEST(Surprise, DispersionIsFoundAndKeepsAlarmsRare) {
  std::mt19937_64 rng(4);
  const Loss loss = parse_loss("poisson");
  constexpr std::size_t n = 30000;
  Batch batch;
  batch.resize(1, n, false);
  std::vector<double> mean(n);
  for (std::size_t t = 0; t < n; ++t) {
    mean[t] = 0.5 + static_cast<double>(t % 7);
    const double rate = std::gamma_distribution<double>(mean[t] / 1.5, 1.5)(rng);  // variance 2.5 times the mean
    batch.x[t] = static_cast<double>(std::poisson_distribution<int>(std::max(rate, 1e-12))(rng));
    batch.w[t] = 1;
  }
  for (std::size_t t = 0; t < 20; ++t) batch.x[t * 100] = 500;  // does not hide itself
  const Scatter scatter = scatter_of(loss, batch, mean);
  EXPECT_NEAR(scatter.dispersion, 2.5, 0.1);
  const SurpriseLaw law(loss, std::nullopt, scatter.dispersion), plain(loss, std::nullopt, 1);
  int alarms = 0, plain_alarms = 0;
  for (std::size_t t = 0; t < n; ++t) {
    alarms += law.cell(mean[t], batch.x[t]).log_p < std::log(1e-3);
    plain_alarms += plain.cell(mean[t], batch.x[t]).log_p < std::log(1e-3);
  }
  EXPECT_LT(alarms, 20 + 60);
  EXPECT_GT(plain_alarms, 400);
}

TEST(Surprise, LargeCellsAreFoundWithoutTheOthers) {
  for (const double least : {0.0, -1.0}) {
    KTensor large = cells::some_model({30, 25, 20}, 4, 9, least);
    for (double& a : large.factors.flat()) a = std::copysign(std::pow(std::abs(a), 6), a);  // few are large
    distribute_weights(large);
    for (const bool magnitude : {false, true}) {
      std::vector<std::pair<double, std::vector<Index>>> all, found;
      cells::for_each({30, 25, 20}, [&](const std::vector<Index>& index) {
        const double m = cells::value_of(large, index);
        all.emplace_back(magnitude ? -std::abs(m) : -m, index);
      });
      std::ranges::sort(all);
      const double threshold = -all[40].first * (1 - 1e-9);
      const LargeCells search(large.factors, magnitude);
      EXPECT_TRUE(search.for_each(threshold, 1e9, [&](const Index* index, double m) {
        found.emplace_back(magnitude ? -std::abs(m) : -m, std::vector<Index>(index, index + 3));
        return threshold;
      }));
      std::ranges::sort(found);
      ASSERT_EQ(found.size(), 41u);
      for (std::size_t t = 0; t < 41; ++t) EXPECT_EQ(found[t].second, all[t].second);
      EXPECT_LT(search.steps(), 15000 / 3);
      EXPECT_FALSE(search.for_each(threshold, 10, [&](const Index*, double) { return threshold; }));
    }
  }
}

// A year of events in a city, with ten bursts in single cells and ten districts that are silent for a day.
TEST(Surprise, PlantedAnomaliesComeFirst) {
  const Problem problem = make_city({});
  std::mt19937_64 rng(2);
  const SparseTensor& sparse = *problem.tensor.sparse();
  std::vector<std::vector<Index>> bursts, outages;
  while (bursts.size() < 10) {
    std::vector<Index> cell;
    for (std::size_t k = 0; k < 4; ++k) cell.push_back(static_cast<Index>(rng() % problem.tensor.space().extent(k)));
    bursts.push_back(cell);
  }
  // Silent are (day, district) with more than 20 events.
  std::map<std::pair<Index, Index>, double> by_pair;
  for (std::size_t t = 0; t < sparse.listed(); ++t) {
    by_pair[{sparse.records().index(t)[0], sparse.records().index(t)[2]}] += sparse.records().value(t);
  }
  for (const auto& [pair, count] : by_pair) {
    if (count > 25 && rng() % 50 == 0 && outages.size() < 10) outages.push_back({pair.first, pair.second});
  }
  ASSERT_EQ(outages.size(), 10u);
  Records entries(4);
  for (std::size_t t = 0; t < sparse.listed(); ++t) {
    const Index* const index = sparse.records().index(t);
    const bool silent =
        std::ranges::any_of(outages, [&](const auto& o) { return o[0] == index[0] && o[1] == index[2]; });
    if (!silent) entries.append(index, sparse.records().value(t));
  }
  for (const auto& cell : bursts) entries.append(cell.data(), 15);
  const Tensor data(SparseTensor(IndexSpace({365, 24, 40, 15}), entries), problem.labels);
  ModelFile file;
  file.model = problem.truth;
  file.labels = problem.labels;
  file.options->json["loss"] = "poisson";
  SurpriseOptions options;
  options.top = 25;
  const Surprise result = surprise(file, data, options);
  EXPECT_NEAR(result.dispersion, 1, 0.05);
  const auto place_of = [](const SurpriseList& list, const std::vector<Index>& index) {
    const auto found = std::ranges::find(list.findings, index, &SurpriseEntry::index);
    return found == list.findings.end() ? -1 : static_cast<int>(found - list.findings.begin());
  };
  for (const auto& cell : bursts) {
    EXPECT_GE(place_of(result.cells, cell), 0);
    EXPECT_LT(place_of(result.cells, cell), 10);
  }
  const auto pairs = std::ranges::find(result.pairs, std::vector<std::size_t>{0, 2}, &SurpriseList::modes);
  ASSERT_NE(pairs, result.pairs.end());
  for (const auto& pair : outages) {
    const int place = place_of(*pairs, pair);
    ASSERT_GE(place, 0);
    EXPECT_TRUE(pairs->findings[static_cast<std::size_t>(place)].marked);
    EXPECT_EQ(pairs->findings[static_cast<std::size_t>(place)].side, -1);
    EXPECT_EQ(pairs->findings[static_cast<std::size_t>(place)].observed, 0);
  }
  // The days of all twenty are marked, and the place within the day is named.
  for (const auto& pair : outages) {
    const int day = place_of(result.slices[0], {pair[0]});
    ASSERT_GE(day, 0);
    EXPECT_TRUE(result.slices[0].findings[static_cast<std::size_t>(day)].marked);
    const Place& through = result.slices[0].findings[static_cast<std::size_t>(day)].through;
    EXPECT_EQ(through.modes, (std::vector<std::size_t>{0, 2}));
    EXPECT_EQ(through.index[0], pair[0]);
    EXPECT_NE(std::ranges::find(outages, through.index), outages.end());  // a day may have two
  }
  // Threads change nothing.
  options.threads = 3;
  EXPECT_EQ(surprise_csv(surprise(file, data, options)), surprise_csv(result));
}

TEST(Surprise, NewDaysGetRowsFirst) {
  const Loss loss = parse_loss("poisson");
  Example example(loss);
  example.file.labels = Labels({{"day", {}}, {"hour", {}}, {"place", {"a", "b", "c", "d", "e", "f"}}});
  for (int day = 1; day <= 9; ++day) example.file.labels.mode(0).entries.push_back("d" + std::to_string(day));
  for (int hour = 1; hour <= 7; ++hour) example.file.labels.mode(1).entries.push_back("h" + std::to_string(hour));
  Tensor data = example.tensor;
  Labels labels = example.file.labels;
  labels.mode(0).entries[8] = "new";
  data.set_labels(labels);
  const Surprise result = surprise(example.file, data, example.options());
  const Transformed rows = transform(example.file, data, {});
  for (std::size_t t = 0; t < 9; ++t) {
    std::vector<Index> index = {static_cast<Index>(t), 3, 2};
    const double own = t < 8 ? value_at(example.file.model, index) : value_at(rows.model, index);
    EXPECT_NEAR(value_at(result.model, index), own, 1e-9 * own);
  }
  EXPECT_EQ(result.labels.entry(0, 8), "new");
  EXPECT_THAT(result.remarks.back(), HasSubstr("rows of new labels were found from these data"));
  // A week of the model's own days: the others are no zeros where the mode is named, and a remark says so where it is not.
  Records some(3);
  some.append({0, 0, 0}, 2);
  Tensor week(SparseTensor(IndexSpace({2, 7, 6}), some));
  labels = example.file.labels;
  labels.mode(0).entries = {"d3", "d4"};
  week.set_labels(labels);
  const Surprise all = surprise(example.file, week, example.options());
  EXPECT_EQ(all.cells.tested, 9 * 7 * 6);
  ASSERT_FALSE(all.remarks.empty());
  EXPECT_THAT(all.remarks.back(), HasSubstr("7 of the model's 9 labels are not in the data and count as zeros"));
  SurpriseOptions options = example.options();
  options.mode = "day";
  const Surprise named = surprise(example.file, week, options);
  EXPECT_EQ(named.cells.tested, 2 * 7 * 6);
  const Index cell[3] = {2, 4, 5}, of_week[3] = {0, 4, 5};
  EXPECT_NEAR(value_at(named.model, of_week), value_at(example.file.model, cell), 1e-12);
}

TEST(Surprise, RefusesWhatHasNoProbability) {
  Example example(parse_loss("poisson"));
  SurpriseOptions options;
  options.scale = 2;
  EXPECT_THROW(surprise(example.file, example.tensor, options), Error);
  example.file.options->json["loss"] = "huber";
  try {
    surprise(example.file, example.tensor, {});
    FAIL();
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), HasSubstr("huber has no likelihood"));
  }
  const Example positive(parse_loss("gamma"));
  const Tensor with_zeros(SparseTensor(IndexSpace(shape), positive.tensor.sparse()->records()));
  EXPECT_THROW(surprise(positive.file, with_zeros, positive.options()), Error);
}

}  // namespace
}  // namespace polyad
