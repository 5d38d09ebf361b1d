#include <polyad/base/error.hpp>
#include <polyad/fit/check_data.hpp>
#include <polyad/loss.hpp>

#include "special_values.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace polyad {
namespace {

Tensor dense(std::vector<double> values) {
  return DenseTensor(IndexSpace({2, values.size() / 2}), AlignedVector<double>(values.begin(), values.end()));
}

Tensor sparse(double value, Unlisted unlisted = Unlisted::zero) {
  Records records(2);
  const Index first[2] = {0, 0};
  const Index second[2] = {1, 2};
  records.append(first, 1);
  records.append(second, value);
  Labels labels(2);
  labels.mode(1).entries = {"north", "east", "south"};
  return {SparseTensor(IndexSpace({2, 3}), std::move(records), unlisted), labels};
}

std::string refusal(const Tensor& tensor, const char* loss) {
  try {
    check_domain(tensor, parse_loss(loss));
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::data);
    return e.what();
  }
  return "";
}

TEST(CheckDomain, NamesTheFirstOffenderItsLabelsAndAWayOut) {
  const std::string text = refusal(sparse(-2), "poisson");
  EXPECT_THAT(text, testing::HasSubstr("the value -2 at (2, south)"));
  EXPECT_THAT(text, testing::HasSubstr("poisson"));
  EXPECT_THAT(text, testing::HasSubstr("loss gaussian"));
}

TEST(CheckDomain, CountsImplicitZerosAsData) {
  for (const char* loss : {"gamma", "rayleigh", "zero-truncated-poisson"}) {
    EXPECT_THAT(refusal(sparse(2), loss),
                testing::HasSubstr("the 4 cells that this sparse tensor does not list are zeros"));
    EXPECT_EQ(refusal(sparse(2, Unlisted::missing), loss), "");
    EXPECT_THAT(refusal(sparse(0, Unlisted::missing), loss), testing::HasSubstr("the value 0 at (2, south)"));
  }
}

TEST(CheckDomain, SkipsMissingCells) {
  EXPECT_EQ(refusal(dense({1, nan, 2, 3}), "gamma"), "");
}

TEST(CheckDomain, AcceptsBinaryOnlyForBernoulli) {
  EXPECT_EQ(refusal(dense({1, 0, 0, 1}), "bernoulli-odds"), "");
  EXPECT_THAT(refusal(dense({1, 0, 0, 2}), "bernoulli-logit"), testing::HasSubstr("the value 2 at (2, 2)"));
}

std::string first_advice(const Tensor& tensor) {
  return advise_losses(tensor).front().loss;
}

TEST(AdviseLosses, FollowsTheValues) {
  EXPECT_EQ(first_advice(dense({1, 0, 0, 1})), "bernoulli-odds");
  EXPECT_EQ(first_advice(dense({1, 0, 3, 1})), "poisson");
  EXPECT_EQ(first_advice(dense({1, -2, 3, 1})), "gaussian");
  EXPECT_EQ(first_advice(dense({1.5, 2, 3, 1})), "gamma");
  EXPECT_EQ(first_advice(dense({1.5, 0, 3, 1})), "gaussian");
  EXPECT_EQ(first_advice(sparse(1)), "bernoulli-odds");
}

TEST(AdviseLosses, OnlyNamesLossesThatAcceptTheData) {
  for (const auto& values : std::vector<std::vector<double>>{
           {1, 0, 0, 1}, {1, 0, 3, 1}, {2, 5, 3, 1}, {1, -2, 3, 1}, {1.5, 2, 3, 1}, {1.5, 0, 3, 1}}) {
    const Tensor tensor = dense(values);
    for (const LossAdvice& advice : advise_losses(tensor)) {
      EXPECT_EQ(refusal(tensor, advice.loss.c_str()), "") << advice.loss;
    }
  }
}

/// Values at the first cells of a sparse matrix with a hundred times as many.
Tensor scattered(const std::vector<double>& values) {
  Records records(2);
  for (std::size_t n = 0; n < values.size(); ++n) {
    const Index index[2] = {static_cast<Index>(n), static_cast<Index>(n % 100)};
    records.append(index, values[n]);
  }
  return SparseTensor(IndexSpace({values.size(), 100}), std::move(records));
}

std::vector<double> stars(double step) {
  const std::vector<double> often = {6, 11, 27, 35, 21};  // MovieLens, per cent
  std::vector<double> values;
  for (std::size_t grade = 0; grade < often.size(); ++grade) {
    values.insert(values.end(), static_cast<std::size_t>(often[grade]), step * static_cast<double>(grade + 1));
  }
  return values;
}

TEST(Ratings, AreKnownByTheirScale) {
  EXPECT_TRUE(look_like_ratings(scattered(stars(1))));
  EXPECT_TRUE(look_like_ratings(scattered(stars(0.5))));
  std::mt19937_64 draw(3);
  std::vector<double> events, often;
  for (int n = 0; n < 2000; ++n) {
    events.push_back(1.0 + static_cast<double>(std::poisson_distribution<int>(0.7)(draw)));
    often.push_back(1.0 + static_cast<double>(std::poisson_distribution<int>(4)(draw)));
  }
  EXPECT_FALSE(look_like_ratings(scattered(events))) << "most cells have one event";
  EXPECT_FALSE(look_like_ratings(scattered(often))) << "the highest counts are rare";
  EXPECT_FALSE(look_like_ratings(dense({1, 0, 3, 1})));
}

TEST(Ratings, AreGaussianAndAskAboutUnlistedCells) {
  const Tensor ratings = scattered(stars(1));
  EXPECT_EQ(first_advice(ratings), "gaussian");
  EXPECT_EQ(first_advice(scattered(stars(0.5))), "gaussian");
  EXPECT_THAT(shown_options(unlisted_ratings(ratings), plain_options), testing::HasSubstr("use unlisted missing"));
  EXPECT_EQ(unlisted_ratings(sparse(3)), "");
  Records records(2);
  for (std::size_t n = 0; n < ratings.sparse()->listed(); ++n) {
    records.append(ratings.sparse()->records().index(n), ratings.sparse()->records().value(n));
  }
  const Tensor known = SparseTensor(IndexSpace({100, 100}), std::move(records), Unlisted::missing);
  EXPECT_EQ(unlisted_ratings(known), "");
}

TEST(AdviseLosses, NamesGaussianForWholeNumbersToo) {
  const std::vector<LossAdvice> advice = advise_losses(dense({1, 0, 3, 1}));
  EXPECT_EQ(advice.front().loss, "poisson");
  EXPECT_EQ(advice.back().loss, "gaussian");
}

TEST(ValueFacts, CountObservedCells) {
  const ValueFacts facts = value_facts(sparse(3));
  EXPECT_EQ(facts.observed, 6);
  EXPECT_EQ(facts.zeros, 4);
  EXPECT_EQ(facts.greatest, 3);
  EXPECT_EQ(facts.least, 0);
  EXPECT_DOUBLE_EQ(facts.mean, 4.0 / 6);
}

}  // namespace
}  // namespace polyad
