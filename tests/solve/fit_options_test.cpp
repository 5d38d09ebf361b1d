#include <polyad/base/error.hpp>
#include <polyad/base/json_fields.hpp>
#include <polyad/options.hpp>
#include <polyad/solve/options_json.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace polyad {
namespace {

std::string error_of(const auto& action) {
  try {
    action();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::usage);
    return e.what();
  }
  return "";
}

TEST(FitOptions, GoThroughJsonUnchanged) {
  FitOptions options;
  options.rank = 7;
  options.loss = "huber:delta=0.5";
  options.sample.sampler = SamplerKind::semi_stratified;
  options.sample.strata = {"zeros", "nonzeros"};
  options.schedule.kind = ScheduleKind::paper;
  options.optimizer.form = AdamForm::usual;
  options.bounds.modes = {"1:fixed"};
  options.bounds.lower = -std::numeric_limits<double>::infinity();
  options.stop.time_limit = 12.5;
  const Json json = to_json(options);
  EXPECT_EQ(json["sampler"], "semi-stratified");
  EXPECT_EQ(json["starts"], "auto");
  EXPECT_EQ(to_json(fit_options_from_json(Json::parse(json.dump()))), json);
}

TEST(FitOptions, HaveDifferentNamesInAllGroups) {
  std::set<std::string_view> names;
  std::size_t fields = 0;
  FitOptions options;
  for_each_group(options, [&](std::string_view, auto& group) {
    for_each_field<std::remove_cvref_t<decltype(group)>>([&](const auto& f) {
      names.insert(f.name);
      ++fields;
      EXPECT_FALSE(f.help.empty()) << f.name;
    });
  });
  EXPECT_EQ(names.size(), fields);
}

TEST(FitOptions, UnknownNamesAreErrorsThatSuggest) {
  EXPECT_THAT(error_of([] {
                fit_options_from_json(Json{{"sampels", 3}});
              }),
              testing::HasSubstr("unknown option 'sampels' (did you mean 'samples'?)"));
}

TEST(FitOptions, RulesNameFieldValueAndRule) {
  FitOptions options;
  EXPECT_EQ(error_of([&] { validate(options); }), "rank must be at least 1 (is 0)");
  options.rank = 1;
  options.optimizer.beta2 = 1;
  EXPECT_EQ(error_of([&] { validate(options); }), "beta2 must be at least 0 and below 1 (is 1)");
}

template <class T>
constexpr bool is_count = std::is_same_v<T, std::uint64_t> || std::is_same_v<T, std::optional<std::uint64_t>>;

// 2^64 - 1 threads, epochs or components are a slip, never a wish; only a seed may be any number.
TEST(FitOptions, CountsBeyondAllMeasureAreRefusedByName) {
  std::size_t counts = 0;
  FitOptions plain;
  for_each_group(plain, [&](std::string_view title, auto& group) {
    using Group = std::remove_cvref_t<decltype(group)>;
    for_each_field<Group>([&](const auto& f) {
      using T = std::remove_cvref_t<decltype(group.*f.member)>;
      if constexpr (is_count<T>) {
        FitOptions given;
        given.rank = 1;
        for_each_group(given, [&](std::string_view other, auto& same) {
          if constexpr (std::is_same_v<std::remove_cvref_t<decltype(same)>, Group>) {
            if (other == title) same.*f.member = std::numeric_limits<std::uint64_t>::max();
          }
        });
        const std::string error = error_of([&] { validate(given); });
        if (f.name.ends_with("seed")) {
          EXPECT_EQ(error, "") << f.name;
        } else {
          EXPECT_THAT(error, testing::AnyOf(testing::StartsWith(std::string(f.name) + " must be at most "),
                                            testing::StartsWith(std::string(f.name) + " must be between ")))
              << f.name;
          ++counts;
        }
      }
    });
  });
  EXPECT_GE(counts, 14u);
}

TEST(FitOptions, AreSetByNameAndReadBack) {
  FitOptions options;
  set_option(options, "rank", "7");
  set_option(options, "samples", "1e3");
  set_option(options, "method", "cp-apr");
  set_option(options, "bound", "1:lower=0");
  set_option(options, "bound", "2:fixed");
  EXPECT_EQ(options.rank, 7u);
  EXPECT_EQ(options.sample.samples, 1000u);
  EXPECT_EQ(options.method, "cp-apr");
  EXPECT_EQ(options.bounds.modes.size(), 2u);
  set_option(options, "samples", "auto");
  EXPECT_FALSE(options.sample.samples);
  // Every option reads what it shows.
  FitOptions copy;
  for_each_group(options, [&](std::string_view, const auto& group) {
    for_each_field<std::remove_cvref_t<decltype(group)>>([&](const auto& f) {
      if (f.name != "bound" && f.name != "stratum") set_option(copy, f.name, option_text(options, f.name));
    });
  });
  copy.bounds = options.bounds;
  EXPECT_EQ(to_json(copy), to_json(options));
  try {
    set_option(options, "epoch", "1");
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "unknown option 'epoch' (did you mean 'epochs'?)");
  }
}

}  // namespace
}  // namespace polyad
