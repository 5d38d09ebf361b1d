#include "report/models.hpp"

#include <polyad/base/error.hpp>
#include <polyad/base/json_value.hpp>
#include <polyad/report.hpp>
#include <polyad/report/text/text.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <sstream>

namespace polyad {
namespace {

using namespace testing;
using ::testing::HasSubstr;
using ::testing::Not;

Labels week() {
  Labels labels(2);
  labels.mode(0) = {"weekday", {"Mon", "Tue", "Wed"}};
  labels.mode(1) = {"place", {"here", "there"}};
  return labels;
}

KTensor week_model() {
  Factors f({3, 2}, 2);
  f.at(0, 0, 0) = 1, f.at(0, 1, 0) = 3;
  f.at(1, 0, 0) = 5;
  f.at(0, 2, 1) = 60;
  f.at(1, 0, 1) = 1, f.at(1, 1, 1) = 1;
  return KTensor(std::move(f));
}

TEST(Show, NamesEntriesWithTheirShares) {
  const std::string text =
      show_text(week_model(), week(), {.top = 1, .width = 40, .ascii = true, .names = {"small", "large"}});
  EXPECT_EQ(text,
            "1  small  sum 20, 14 % of the total\n"
            "  weekday\n"
            "    Tue           75 %  ################\n"
            "    2 others      25 %\n"
            "  place\n"
            "    here     100 %  ####################\n"
            "\n"
            "2  large  sum 120, 86 % of the total\n"
            "  weekday\n"
            "    Wed     100 %  #####################\n"
            "  place\n"
            "    here         50 %  #################\n"
            "    1 other      50 %\n"
            "\n")
      << "components keep the numbers that they have in the file";
}

TEST(Show, KeepsToTheWidthWhateverTheLabels) {
  for (const std::uint64_t width : {40, 41, 57, 80, 120, 200}) {
    for (const bool ascii : {false, true}) {
      for (const KTensor& model : {some_model({6, 40, 24}, 3), signed_model({6, 40, 24}, 3)}) {
        const ShowOptions options{.width = width, .ascii = ascii, .names = {std::string(300, 'x')}};
        std::istringstream lines(show_text(model, hostile_labels(), options));
        for (std::string line; std::getline(lines, line);) {
          EXPECT_LE(display_width(line), width) << line;
          EXPECT_EQ(line.find('\x1b'), std::string::npos);
          EXPECT_EQ(printable(line), line);
        }
      }
    }
  }
}

TEST(Show, ColorsOnlyWhenAsked) {
  EXPECT_THAT(show_text(week_model(), week(), {.color = true}), HasSubstr("\x1b[1m1\x1b[0m  sum"));
  EXPECT_THAT(show_text(week_model(), week()), Not(HasSubstr("\x1b")));
}

TEST(Show, DrawsACurveForOrderedModes) {
  KTensor model = some_model({200, 3}, 1);
  for (std::size_t i = 0; i < 200; ++i) model.factors.at(0, i, 0) = i < 100 ? 0 : 1;
  EXPECT_THAT(show_text(model, {}, {.width = 44, .ascii = true}),
              HasSubstr(std::string(20, '_') + std::string(20, '#')));
}

TEST(Show, HasNoNaN) {
  KTensor model = some_model({20, 3}, 2);
  model.factors.at(0, 3, 0) = std::numeric_limits<double>::quiet_NaN();
  model.factors.at(1, 0, 1) = std::numeric_limits<double>::infinity();
  for (const std::string& text : {show_text(model, {}), show_json(model, {}), show_csv(model, {})}) {
    EXPECT_THAT(text, Not(HasSubstr("nan")));
    EXPECT_THAT(text, Not(HasSubstr("inf")));
    EXPECT_THAT(text, Not(HasSubstr("null")));
  }
  EXPECT_THAT(show_text(KTensor(Factors({3, 2}, 1)), {}), HasSubstr("all entries are 0"));
}

TEST(Show, OneComponentOnly) {
  const std::string text = show_text(week_model(), week(), {.component = 2});
  EXPECT_THAT(text, HasSubstr("sum 120"));
  EXPECT_THAT(text, Not(HasSubstr("sum 20")));
  try {
    show_text(week_model(), week(), {.component = 3});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_STREQ(error.what(), "component 3 does not exist: the model has 2");
  }
}

TEST(Show, JsonHoldsTheSame) {
  const Json json = Json::parse(show_json(week_model(), week(), {.top = 1}));
  EXPECT_EQ(json["rank"], 2);
  EXPECT_EQ(json["modes"], Json::parse(R"(["weekday", "place"])"));
  EXPECT_DOUBLE_EQ(json["components"][0]["weight"], 20);
  EXPECT_DOUBLE_EQ(json["components"][0]["share"], 20.0 / 140);
  const Json& top = json["components"][0]["modes"][0]["top"];
  ASSERT_EQ(top.size(), 1u);
  EXPECT_EQ(top[0]["label"], "Tue");
  EXPECT_EQ(top[0]["index"], 2);
  EXPECT_DOUBLE_EQ(top[0]["value"], 0.75);
  EXPECT_TRUE(Json::accept(show_json(some_model({6, 40, 24}, 2), hostile_labels())));
}

TEST(Show, CsvListsEveryEntry) {
  Labels labels = week();
  labels.mode(0).entries[1] = "Tue, \"2nd\"";
  EXPECT_EQ(show_csv(week_model(), labels, {.component = 1}),
            "component,weight,mode,index,label,value\n"
            "1,20,weekday,1,Mon,0.25\n"
            "1,20,weekday,2,\"Tue, \"\"2nd\"\"\",0.75\n"
            "1,20,weekday,3,Wed,0\n"
            "1,20,place,1,here,1\n"
            "1,20,place,2,there,0\n");
}

}  // namespace
}  // namespace polyad
