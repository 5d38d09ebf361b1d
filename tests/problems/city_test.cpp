#include "problems/helpers.hpp"

#include <polyad/base/rng.hpp>
#include <polyad/model/compare.hpp>
#include <polyad/problems/city_patterns.hpp>
#include <polyad/problems/ingredients.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace polyad {
namespace {

using namespace testing;

/// A plain Poisson fit that shares nothing with polyad's solvers: expectation-maximisation, which gives every
/// count to the components in proportion to their model values and sets each column to its shares.
KTensor fit_by_em(const SparseTensor& x, std::size_t rank, int iterations) {
  const auto extents = x.space().extents();
  const std::size_t modes = extents.size();
  Factors a({extents.begin(), extents.end()}, rank);
  Generator generator(RandomStream(123, Purpose::guess));
  for (std::size_t k = 0; k < modes; ++k) {
    for (std::size_t i = 0; i < a.rows(k); ++i) {
      for (std::size_t j = 0; j < rank; ++j) a.at(k, i, j) = (0.5 + generator.unit()) / static_cast<double>(a.rows(k));
    }
  }
  std::vector<double> weights(rank, 1.0), share(rank);
  for (int iteration = 0; iteration < iterations; ++iteration) {
    Factors next({extents.begin(), extents.end()}, rank);
    for (std::size_t record = 0; record < x.listed(); ++record) {
      const Index* index = x.records().index(record);
      double m = 0;
      for (std::size_t j = 0; j < rank; ++j) {
        share[j] = weights[j];
        for (std::size_t k = 0; k < modes; ++k) share[j] *= a.at(k, index[k], j);
        m += share[j];
      }
      const double scale = x.records().value(record) / std::max(m, 1e-300);
      for (std::size_t k = 0; k < modes; ++k) {
        for (std::size_t j = 0; j < rank; ++j) next.at(k, index[k], j) += scale * share[j];
      }
    }
    for (std::size_t j = 0; j < rank; ++j) {
      for (std::size_t k = 0; k < modes; ++k) {
        weights[j] = 0;
        for (std::size_t i = 0; i < a.rows(k); ++i) weights[j] += next.at(k, i, j);
        for (std::size_t i = 0; i < a.rows(k); ++i) next.at(k, i, j) /= std::max(weights[j], 1e-300);
      }
    }
    a = std::move(next);
  }
  KTensor model(std::move(a));
  model.weights = weights;
  return model;
}

TEST(City, LabelsNameEveryIndex) {
  const Problem p = make_city({});
  const Labels& labels = p.tensor.labels();
  labels.check(p.tensor.space());
  EXPECT_EQ(labels, p.labels);
  EXPECT_EQ(p.tensor.space(), IndexSpace({365, 24, 40, 15}));
  EXPECT_EQ(labels.mode_name(0), "day");
  EXPECT_EQ(labels.mode_name(3), "event");
  EXPECT_EQ(labels.entry(0, 0), "2023-01-01");
  EXPECT_EQ(labels.entry(0, 58), "2023-02-28");
  EXPECT_EQ(labels.entry(0, 59), "2023-03-01");
  EXPECT_EQ(labels.entry(0, 364), "2023-12-31");
  EXPECT_EQ(labels.entry(1, 0), "00:00");
  EXPECT_EQ(labels.entry(1, 23), "23:00");
  for (std::size_t k = 0; k < 4; ++k) {
    const auto& entries = labels.mode(k).entries;
    EXPECT_EQ(std::set<std::string>(entries.begin(), entries.end()).size(), entries.size()) << k;
  }
  EXPECT_EQ(p.component_names.size(), 6u);
  EXPECT_EQ(p.truth.rank(), 6u);
}

TEST(City, CalendarIsThatOf2023) {
  EXPECT_EQ(city_day(0).weekday, 0u);  // New Year 2023 was a Sunday
  EXPECT_EQ(city_day(59).month, 3u);
  EXPECT_EQ(city_day(59).weekday, 3u);  // 1 March 2023 was a Wednesday
  EXPECT_TRUE(city_day(358).public_holiday);
  EXPECT_TRUE(city_day(200).school_holiday);
}

TEST(City, PatternsAreWhatTheirNamesSay) {
  const Problem p = make_city({});
  const Factors& a = p.truth.factors;
  const auto component = [&](const std::string& name) {
    const auto at = std::find(p.component_names.begin(), p.component_names.end(), name);
    EXPECT_NE(at, p.component_names.end()) << name;
    return static_cast<std::size_t>(at - p.component_names.begin());
  };
  double commuting_weekend = 0, nights_weekend = 0, summer = 0, first_days = 0;
  for (std::size_t i = 0; i < city_days; ++i) {
    const CityDay day = city_day(i);
    if (day.weekend()) commuting_weekend += a.at(0, i, component("commuting"));
    if (day.weekend() || day.weekday == 5) nights_weekend += a.at(0, i, component("weekend nights"));
    if (day.month >= 6 && day.month <= 8) summer += a.at(0, i, component("summer season"));
    if (day.day == 1) first_days += a.at(0, i, component("first of the month"));
  }
  EXPECT_LT(commuting_weekend, 0.05);
  EXPECT_GT(nights_weekend, 0.8);
  EXPECT_GT(summer, 0.7);
  EXPECT_GT(first_days, 0.5);
  const std::size_t parcels = component("parcels (growing)");
  double first_half = 0;
  for (std::size_t i = 0; i < 182; ++i) first_half += a.at(0, i, parcels);
  EXPECT_LT(first_half, 0.4);
  double total = 0;
  for (const CityPattern& pattern : city_patterns()) total += pattern.share;
  EXPECT_NEAR(total, 1, 1e-12);
}

TEST(City, CountsHaveTheStatedTotalAndDoNotDependOnThreads) {
  const Problem p = make_city({.total = 100000}, 1);
  double sum = 0;
  for (std::size_t record = 0; record < p.tensor.sparse()->listed(); ++record)
    sum += p.tensor.sparse()->records().value(record);
  EXPECT_NEAR(sum, 100000, 4 * std::sqrt(1e5));
  EXPECT_NEAR(model_total(p.truth), 100000, 1e-6);
  const Problem again = make_city({.total = 100000}, 3);
  expect_same_records(p.tensor.sparse()->records(), again.tensor.sparse()->records());
  EXPECT_NE(make_city({.total = 100000, .seed = 2}).truth, p.truth);
}

TEST(City, PlantedPatternsCanBeRecovered) {
  for (const std::uint64_t seed : {2}) {
    const Problem p = make_city({.seed = seed});
    const KTensor model = fit_by_em(*p.tensor.sparse(), 6, 50);
    const Score s = score(p.truth, model);
    EXPECT_GT(s.value, 0.95) << "seed " << seed;
    for (std::size_t j = 0; j < 6; ++j) EXPECT_GT(s.cosines[j], 0.9) << p.component_names[j];
  }
}

}  // namespace
}  // namespace polyad
