// Models of different labels: what they share, and what became of their components.

#include <polyad/base/error.hpp>
#include <polyad/model/changes.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace polyad {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

struct Named {
  KTensor model;
  Labels labels;
  LabelledSpace space(std::string_view name) const { return {labels, model.factors.extents(), name}; }
};

// Hours by places; component j has `columns[k][j]`.
Named named(const std::vector<std::vector<std::vector<double>>>& columns, std::vector<double> weights, Labels labels) {
  std::vector<std::uint64_t> extents;
  for (const auto& mode : columns) extents.push_back(mode[0].size());
  KTensor model(Factors(extents, weights.size()));
  for (std::size_t k = 0; k < columns.size(); ++k) {
    for (std::size_t j = 0; j < weights.size(); ++j) {
      for (std::size_t i = 0; i < extents[k]; ++i) model.factors.at(k, i, j) = columns[k][j][i];
    }
  }
  model.weights = std::move(weights);
  return {std::move(model), std::move(labels)};
}

Named july() {
  return named({{{1, 0}, {0, 1}}, {{0.8, 0.2, 0}, {0, 0.1, 0.9}}, {{2, 2, 2}, {1, 1, 1}}}, {10, 6},
               Labels({{"hour", {"noon", "night"}}, {"place", {"park", "mall", "bar"}}, {"day", {"1", "2", "3"}}}));
}
// Other days, places in another order and one more, modes in another order; the first component doubled, the second gone, one new.
Named august() {
  return named({{{2, 2}, {5, 5}}, {{0.2, 0.8, 0, 0}, {0, 0, 0, 1}}, {{0, 1}, {1, 1}}}, {20, 1},
               Labels({{"day", {"4", "5"}}, {"place", {"mall", "park", "bar", "port"}}, {"hour", {"night", "noon"}}}));
}

TEST(SharedLabels, AreFoundInAnyOrder) {
  const Named a = july(), b = august();
  const SharedLabels shared = shared_labels(a.space("july"), b.space("august"));
  EXPECT_EQ(shared.modes[0].of_b, 2u);
  EXPECT_THAT(shared.modes[0].rows, ElementsAre(Pair(0, 1), Pair(1, 0)));
  EXPECT_THAT(shared.modes[1].rows, ElementsAre(Pair(0, 1), Pair(1, 0), Pair(2, 2)));
  EXPECT_TRUE(shared.modes[2].rows.empty());
  EXPECT_FALSE(shared.same(a.space(""), b.space("")));
  EXPECT_TRUE(shared_labels(a.space(""), a.space("")).same(a.space(""), a.space("")));
}

TEST(SharedLabels, WithoutLabelsShapesMustAgree) {
  Named a = july(), b = july();
  b.labels.mode(1).entries.clear();
  EXPECT_EQ(shared_labels(a.space("a"), b.space("b")).modes[1].rows.size(), 3u);
  const Named c = named({{{1, 0}}, {{1, 1}}, {{1, 1, 1}}}, {1}, Labels(3));
  try {
    shared_labels(a.space("a"), c.space("c"));
    FAIL();
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), HasSubstr("a and c have different shapes: 2 x 3 x 3 and 2 x 2 x 3"));
  }
}

TEST(Changes, SayWhatBecameOfEveryComponent) {
  const Named a = july(), b = august();
  const ModelChanges found = changes(a.model, a.space("july"), b.model, b.space("august"));
  EXPECT_THAT(found.shared.left_out, ElementsAre(2));
  ASSERT_EQ(found.components.size(), 3u);
  const ComponentChange& lunch = found.components[0];
  EXPECT_EQ(lunch.change, Change::stronger);
  EXPECT_EQ(lunch.of_b, 0u);
  EXPECT_NEAR(lunch.likeness, 1, 1e-12);
  EXPECT_NEAR(lunch.after / lunch.before, 2, 1e-12);  // per day: two days against three
  EXPECT_EQ(found.components[1].change, Change::gone);
  EXPECT_EQ(found.components[1].of_b, Score::npos);
  EXPECT_EQ(found.components[2].change, Change::appeared);
  EXPECT_EQ(found.components[2].of_b, 1u);
}

TEST(Changes, NameTheLabelsThatChanged) {
  const Named a = july();
  Named b = july();
  b.model.factors.at(1, 0, 0) = 0.6;
  b.model.factors.at(1, 1, 0) = 0.4;
  const ModelChanges found = changes(a.model, a.space("a"), b.model, b.space("b"));
  EXPECT_EQ(found.components[0].change, Change::same);
  const LabelChange& first = found.components[0].labels[1][0];
  EXPECT_NEAR(std::abs(first.after - first.before), 0.2, 1e-12);
  EXPECT_NEAR(found.components[0].modes[1], (0.48 + 0.08) / std::sqrt(0.68 * 0.52), 1e-12);
  EXPECT_EQ(found.components[1].change, Change::same);
  EXPECT_NEAR(found.components[1].likeness, 1, 1e-12);
}

TEST(Changes, ModelsOfNothingInCommonAreRefused) {
  const Named a = july();
  Named b = july();
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::string& label : b.labels.mode(k).entries) label += " of another world";
  }
  EXPECT_THROW(changes(a.model, a.space("a"), b.model, b.space("b")), Error);
}

TEST(ForLabels, KeepsKnownRowsAndGivesNewOnesTheMean) {
  const Named a = july();
  const Labels labels({{"hour", {"night", "noon"}}, {"place", {"port", "mall", "park", "bar"}}, {"day", {"3", "9"}}});
  const std::vector<std::uint64_t> extents = {2, 4, 2};
  const KTensor placed = for_labels(a.model, a.space("model"), {labels, extents, "data"});
  EXPECT_EQ(placed.factors.extents(), extents);
  EXPECT_EQ(placed.factors.at(0, 0, 0), 0);
  EXPECT_EQ(placed.factors.at(0, 1, 0), 1);
  EXPECT_EQ(placed.factors.at(1, 2, 0), 0.8);
  EXPECT_NEAR(placed.factors.at(1, 0, 0), 1.0 / 3, 1e-12);
  EXPECT_NEAR(placed.factors.at(2, 1, 0), 2, 1e-12);
  EXPECT_EQ(placed.weights, a.model.weights);
  EXPECT_EQ(for_labels(a.model, a.space("model"), a.space("data")), a.model);
}

}  // namespace
}  // namespace polyad
