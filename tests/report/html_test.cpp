// What the page of a report holds; how it behaves in a browser is tested there (tests/browser).

#include "report/models.hpp"

#include <polyad/base/error.hpp>
#include <polyad/model/compare.hpp>
#include <polyad/report.hpp>
#include <polyad/report/html/report_parts.hpp>

#include <gmock/gmock.h>

#include <bit>
#include <limits>

namespace polyad {
namespace {

using namespace testing;
using ::testing::HasSubstr;
using ::testing::Not;

ReportModel report_model(KTensor model, Labels labels = {}, std::string name = "model") {
  ReportModel out{std::move(name), {}};
  out.file.model = std::move(model);
  out.file.labels = std::move(labels);
  return out;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

std::vector<float> unpacked(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  int have = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = (bits << 6) | static_cast<std::uint32_t>(digits.find(c));
    if ((have += 6) >= 8) bytes.push_back(static_cast<char>((bits >> (have -= 8)) & 0xFF));
  }
  std::vector<float> values;
  for (std::size_t at = 0; at + 4 <= bytes.size(); at += 4) {
    std::uint32_t word = 0;
    for (std::size_t i = 4; i-- > 0;) word = (word << 8) | static_cast<unsigned char>(bytes[at + i]);
    values.push_back(std::bit_cast<float>(word));
  }
  return values;
}

TEST(Pack, Base64IsTheOneOfTheStandard) {
  // RFC 4648, section 10.
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

TEST(Pack, FloatsComeBack) {
  const std::vector<double> values = {0, -1.5, 3.25e-20, std::numeric_limits<double>::infinity(), 1e300, 7};
  const std::vector<float> back = unpacked(packed_floats(values));
  ASSERT_EQ(back.size(), values.size());
  EXPECT_EQ(back[1], -1.5f);
  EXPECT_EQ(back[2], 3.25e-20f);
  EXPECT_TRUE(std::isnan(back[3]));
  EXPECT_TRUE(std::isnan(back[4]));
  EXPECT_EQ(back[5], 7.0f);
}

TEST(Thin, KeepsPeaksAndShortColumns) {
  std::vector<double> column(1000, 1.0);
  column[321] = 9;
  column[322] = -9;
  const auto kept = thinned(column, 10);
  EXPECT_LE(kept.size(), 20u);
  EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end()));
  EXPECT_EQ(std::count(kept.begin(), kept.end(), 321u) + std::count(kept.begin(), kept.end(), 322u), 2);
  EXPECT_EQ(thinned(std::vector<double>(15, 0.0), 10).size(), 15u);
}

TEST(ReportData, HoldsEveryColumnOfAShortMode) {
  const KTensor model = some_model({6, 40, 24}, 3);
  const Json data = report_data({report_model(model)}, {});
  ASSERT_EQ(data["modes"].size(), 3u);
  const ReadableModel shown = readable(model);
  for (std::size_t k = 0; k < 3; ++k) {
    const auto values = unpacked(data["models"][0]["factors"][k]["full"].get<std::string>());
    ASSERT_EQ(values.size(), 3 * model.factors.rows(k));
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t i = 0; i < model.factors.rows(k); ++i) {
        EXPECT_EQ(values[j * model.factors.rows(k) + i], static_cast<float>(shown.model.factors.at(k, i, j)));
      }
    }
  }
}

TEST(ReportData, CutsLongModesToWhatCanBeSeen) {
  ReportOptions options;
  options.most_values = 1000;
  Labels labels(2);
  for (int i = 0; i < 5000; ++i) labels.mode(0).entries.push_back(fmt::format("name {}", i));
  KTensor model = some_model({5000, 3}, 2);
  model.factors.at(0, 4321, 1) = 50;
  const Json named = report_data({report_model(model, labels)}, options);
  const Json& part = named["models"][0]["factors"][0]["parts"][0];
  EXPECT_EQ(unpacked(part["value"].get<std::string>()).size(), 200u);
  const auto& texts = named["modes"][0]["labels"]["text"];
  EXPECT_LE(texts.size(), 400u);
  EXPECT_EQ(std::count(texts.begin(), texts.end(), "name 4321"), 1);
  const ReadableModel shown = readable(model);
  double total = part["rest"].get<double>();
  for (const float v : unpacked(part["value"].get<std::string>())) total += v;
  EXPECT_NEAR(total, 1, 1e-5) << "what is left out is told as a sum";

  const Json curve = report_data({report_model(model)}, options);
  EXPECT_LE(unpacked(curve["models"][0]["factors"][0]["parts"][0]["value"].get<std::string>()).size(), 4202u);
}

TEST(ReportData, RefusesModelsOfDifferentData) {
  EXPECT_THROW(report_data({report_model(some_model({3, 4}, 1)), report_model(some_model({3, 5}, 1))}, {}), Error);
  EXPECT_THROW(report_data({}, {}), Error);
}

TEST(Html, NoLabelIsMarkup) {
  ReportModel model = report_model(some_model({6, 40, 24}, 2), hostile_labels(), "</title><script>alert(1)</script>");
  model.file.summary->json["component-names"] = {"<b>one</b>", "</script>"};
  model.file.options->json["loss"] = "<img src=x>";
  const std::string page = report_html({model}, {.title = "<script>&"});
  EXPECT_EQ(count(page, "<script"), 3u);
  EXPECT_EQ(count(page, "</script>"), 3u);
  EXPECT_THAT(page, Not(HasSubstr("<b>one")));
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, HasSubstr("<title>&lt;script&gt;&amp;</title>"));
  EXPECT_THAT(page, Not(HasSubstr("http-equiv=\"refresh\"")));
  EXPECT_EQ(page, report_html({model}, {.title = "<script>&"})) << "the same models give the same bytes";
}

TEST(Html, NonFiniteEntriesDoNotBreakThePage) {
  ReportModel model = report_model(some_model({50, 6}, 2));
  model.file.model.factors.at(0, 3, 0) = std::numeric_limits<double>::quiet_NaN();
  model.file.traces = {{{0, 0, std::numeric_limits<double>::infinity(), 0.1, true}}};
  model.file.slices = {{{std::numeric_limits<double>::quiet_NaN(), 1, 0, 1, 1}}};
  model.file.slices[0].resize(50);
  model.file.slices.emplace_back(6);
  EXPECT_NO_THROW(report_html({model}));
}

LabelledSpace space_of(const KTensor& model) {
  static const Labels none;
  return {none, model.factors.extents(), "a model"};
}

TEST(ModelMatch, TellsLikenessByMode) {
  const KTensor a = signed_model({9, 8, 7}, 3);
  KTensor b = a;
  for (std::size_t i = 0; i < 9; ++i) std::swap(b.factors.at(0, i, 0), b.factors.at(0, i, 1));
  for (std::size_t i = 0; i < 8; ++i) std::swap(b.factors.at(1, i, 0), b.factors.at(1, i, 1));
  for (std::size_t i = 0; i < 7; ++i) std::swap(b.factors.at(2, i, 0), b.factors.at(2, i, 1));
  b.factors.at(1, 0, 2) += 5;
  const ModelMatch match = match_models(a, space_of(a), b, space_of(b));
  EXPECT_EQ(match.match, (std::vector<std::size_t>{1, 0, 2}));
  EXPECT_NEAR(match.cosines[0], 1, 1e-12);
  EXPECT_NEAR(match.mode_cosines[2][0], 1, 1e-12);
  EXPECT_LT(match.mode_cosines[2][1], 0.9);
  for (std::size_t j = 0; j < 3; ++j) {
    const auto& c = match.mode_cosines[j];
    EXPECT_NEAR(c[0] * c[1] * c[2], match.cosines[j], 1e-12);
  }
  const KTensor smaller = some_model({9, 8, 7}, 1);
  EXPECT_TRUE(match_models(a, space_of(a), smaller, space_of(smaller)).mode_cosines.size() == 3u);
}

TEST(FitCommand, AddsWhatWasNotTyped) {
  ModelFile file;
  EXPECT_EQ(fit_command(file), "");
  file.options->json = Json{{"rank", 3},       {"loss", "huber:delta=0.5"}, {"seed", 1},
                            {"threads", 0},    {"lower", "-inf"},           {"bound", {"a b:fixed"}},
                            {"upper", "auto"}, {"adaptive", true},          {"other", false}};
  EXPECT_EQ(fit_command(file),
            "polyad fit DATA --rank=3 --loss=huber:delta=0.5 --seed=1 --lower=-inf '--bound=a b:fixed' --adaptive=true "
            "--other=false");
  file.summary->json["command"] = "polyad fit 'my file.tns' -r 3 --loss huber:delta=0.5";
  EXPECT_EQ(
      fit_command(file),
      "polyad fit 'my file.tns' -r 3 --loss huber:delta=0.5 --seed=1 --lower=-inf '--bound=a b:fixed' --adaptive=true "
      "--other=false");
}

TEST(ModeKind, KnowsWeekdaysAndMonths) {
  const auto kind = [](std::vector<std::string> names) {
    const std::size_t size = names.size();
    return mode_kind({"", std::move(names)}, size);
  };
  EXPECT_EQ(kind({"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}), ModeKind::cycle);
  EXPECT_EQ(kind({"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}),
            ModeKind::cycle);
  EXPECT_EQ(kind({"Monday", "Tuesday", "Thursday", "Wednesday", "Friday", "Saturday", "Sunday"}), ModeKind::few);
}

}  // namespace
}  // namespace polyad
