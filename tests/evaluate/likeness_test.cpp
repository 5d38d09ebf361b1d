// How alike starts are, and what data a model was fitted to.

#include "fit/cells.hpp"

#include <polyad/base/json_value.hpp>
#include <polyad/evaluate/notes.hpp>
#include <polyad/model/compare.hpp>
#include <polyad/tensor/tensor.hpp>

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace polyad {
namespace {

KTensor swapped(KTensor model) {
  std::swap(model.weights[0], model.weights[1]);
  for (std::size_t k = 0; k < model.modes(); ++k) {
    for (std::size_t i = 0; i < model.factors.rows(k); ++i)
      std::swap(model.factors.at(k, i, 0), model.factors.at(k, i, 1));
  }
  return model;
}

TEST(StartLikeness, ScoresEveryPairAndCountsWhoFoundWhat) {
  const KTensor best = cells::some_model({9, 8, 7}, 2, 1, -1), other = cells::some_model({9, 8, 7}, 2, 2, -1);
  KTensor broken = other;
  broken.factors.at(0, 0, 0) = std::numeric_limits<double>::quiet_NaN();
  // The best one's own factors have been moved out, as in a fit.
  const StartLikeness found = start_likeness({swapped(best), KTensor(), other, broken}, best, 1);
  ASSERT_EQ(found.to_best.size(), 4u);
  EXPECT_NEAR(found.to_best[0], 1, 1e-12);
  EXPECT_EQ(found.to_best[1], 1);
  EXPECT_NEAR(found.to_best[2], score(best, other).value, 1e-12);
  EXPECT_EQ(found.to_best[3], 0);
  ASSERT_EQ(found.matrix.size(), 4u);
  EXPECT_NEAR(found.matrix[0][2], score(swapped(best), other).value, 1e-12);
  EXPECT_EQ(found.matrix[2][0], found.matrix[0][2]);
  EXPECT_EQ(found.matrix[2][3], 0);
  for (const double part : found.stability) EXPECT_NEAR(part, 1.0 / 3, 1e-12);
  EXPECT_TRUE(start_likeness({best}, best, 0).to_best.empty());
}

Tensor counts(const std::vector<std::array<Index, 2>>& cells, double first = 1) {
  Records records(2);
  for (std::size_t n = 0; n < cells.size(); ++n)
    records.append(cells[n].data(), first + static_cast<double>(cells[n][0]));
  return SparseTensor(IndexSpace({4, 3}), std::move(records));
}

TEST(DataFacts, TellSizeAndSum) {
  const Json facts = data_facts(counts({{0, 1}, {2, 2}, {3, 0}}), "x.tns");
  EXPECT_EQ(facts["file"], "x.tns");
  EXPECT_EQ(facts["observed"], 12);
  EXPECT_EQ(facts["listed"], 3);
  EXPECT_NEAR(facts["sum"].get<double>(), 1 + 3 + 4, 1e-12);
  EXPECT_EQ(facts["greatest"], 4);
  EXPECT_EQ(facts["fingerprint"].get<std::string>().size(), 16u);
}

}  // namespace
}  // namespace polyad
