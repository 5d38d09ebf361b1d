#include <polyad/base/error.hpp>
#include <polyad/fit/check_data.hpp>
#include <polyad/loss.hpp>

#include "special_values.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

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
  return advise_losses(value_facts(tensor)).front().loss;
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
    for (const LossAdvice& advice : advise_losses(value_facts(tensor))) {
      EXPECT_EQ(refusal(tensor, advice.loss.c_str()), "") << advice.loss;
    }
  }
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
