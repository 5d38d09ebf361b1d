// An option that nothing chosen uses is refused, over all options and all choices; what is used is never refused.

#include <polyad/base/error.hpp>
#include <polyad/solve/method_table.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

namespace polyad {
namespace {

FitOptions chosen(Method method, Finish finish = Finish::none) {
  FitOptions options;
  options.method = method;
  options.finish = finish;
  options.sample.sampler = SamplerKind::exact_zeros;
  return options;
}

// A value other than the default.
void change(bool& v) {
  v = !v;
}
void change(std::string& v) {
  v = "x";
}
void change(std::vector<std::string>& v) {
  v = {"x"};
}
template <class T>
requires std::is_arithmetic_v<T>
void change(T& v) {
  v += 1;
}
template <WordEnum E>
void change(E& v) {
  v = static_cast<E>(static_cast<int>(v) == 0 ? 1 : 0);
}
template <class T>
void change(std::optional<T>& v) {
  v = T{};
}
void change(std::optional<Finish>& v) {
  v = Finish::lbfgsb;
}

// The names of all options that are refused when they alone are given.
std::set<std::string> refused(const FitOptions& choice) {
  std::set<std::string> names;
  FitOptions plain;
  for_each_group(plain, [&](std::string_view title, auto& group) {
    using Group = std::remove_cvref_t<decltype(group)>;
    for_each_field<Group>([&](const auto& f) {
      FitOptions given;
      for_each_group(given, [&](std::string_view other, auto& same) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(same)>, Group>) {
          if (other == title) change(same.*f.member);
        }
      });
      try {
        refuse_unused(given, choice);
      } catch (const Error& e) {
        EXPECT_EQ(e.kind(), ErrorKind::usage);
        EXPECT_THAT(e.what(), testing::StartsWith(std::string(f.name) + " is not used by "));
        names.insert(std::string(f.name));
      }
    });
  });
  return names;
}

const std::set<std::string> sampling = {"finish",
                                        "precision",
                                        "sampler",
                                        "samples",
                                        "nonzero-samples",
                                        "stratum",
                                        "parts",
                                        "estimate-samples",
                                        "estimate-seed",
                                        "importance-zeros",
                                        "importance-refresh",
                                        "importance-uniform",
                                        "importance-adaptive",
                                        "schedule",
                                        "rate",
                                        "final-rate",
                                        "decay",
                                        "max-bad-epochs",
                                        "epochs",
                                        "epoch-iterations",
                                        "optimizer",
                                        "adam-form",
                                        "beta1",
                                        "beta2",
                                        "epsilon",
                                        "momentum"};
const std::set<std::string> lbfgsb = {"lbfgsb-pairs", "gradient-tolerance"};
const std::set<std::string> race = {"tries"};
const std::set<std::string> als = {"ridge"};
const std::set<std::string> apr = {"apr-update", "apr-inner", "kkt-tolerance"};

std::set<std::string> all_of(std::initializer_list<std::set<std::string>> sets) {
  std::set<std::string> all;
  for (const auto& set : sets) all.insert(set.begin(), set.end());
  return all;
}

TEST(OptionUse, ExactMethodsRefuseWhatOthersUse) {
  EXPECT_EQ(refused(chosen("gcp-full")), all_of({sampling, als, apr}));
  EXPECT_EQ(refused(chosen("cp-als")), all_of({sampling, lbfgsb, apr, race}));
  EXPECT_EQ(refused(chosen("cp-apr")), all_of({sampling, lbfgsb, als, race}));
}

TEST(OptionUse, SampledGradientsRefuseWhatTheirChoicesDoNotUse) {
  const std::set<std::string> common = {"importance-zeros",
                                        "importance-refresh",
                                        "importance-uniform",
                                        "importance-adaptive",
                                        "stratum",
                                        "max-bad-epochs",
                                        "momentum"};
  EXPECT_EQ(refused(chosen("gcp-sgd")), all_of({common, lbfgsb, als, apr, race, {"iterations"}}));
  EXPECT_EQ(refused(chosen("gcp-sgd", Finish::lbfgsb)), all_of({common, als, apr, race}));
  EXPECT_EQ(refused(chosen("gcp-sgd", Finish::apr)), all_of({common, als, lbfgsb, race}));

  FitOptions choice = chosen("gcp-sgd", Finish::apr);
  choice.sample.sampler = SamplerKind::importance;
  choice.schedule.kind = ScheduleKind::paper;
  choice.optimizer.kind = OptimizerKind::sgd;
  EXPECT_EQ(refused(choice),
            all_of({als, lbfgsb, race, {"stratum", "final-rate", "adam-form", "beta1", "beta2", "epsilon"}}));
}

TEST(OptionUse, TheMessageNamesThoseThatUseIt) {
  FitOptions given;
  given.stop.iterations = 5;
  try {
    refuse_unused(given, chosen("gcp-sgd"));
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(),
                 "iterations is not used by method gcp-sgd, only by method gcp-full, cp-als or cp-apr, finish lbfgsb "
                 "or apr; leave it out");
  }
}

// Options as used can be given again: whatever is not used is as it was by default.
TEST(OptionUse, WhatIsNotUsedIsSetBack) {
  FitOptions options = chosen("cp-als");
  options.schedule.rate = 3;
  options.apr.inner = 99;
  options.als.ridge = 2;
  reset_unused(options);
  EXPECT_FALSE(options.schedule.rate);
  EXPECT_FALSE(options.sample.sampler);
  EXPECT_EQ(options.apr.inner, AprOptions{}.inner);
  EXPECT_EQ(options.als.ridge, 2);
  EXPECT_NO_THROW(refuse_unused(options, options));
}

}  // namespace
}  // namespace polyad
