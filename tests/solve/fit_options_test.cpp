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

}  // namespace
}  // namespace polyad
