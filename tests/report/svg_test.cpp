#include "report/models.hpp"
#include "report/xml_check.hpp"

#include <polyad/base/error.hpp>
#include <polyad/report.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <regex>

namespace polyad {
namespace {

using namespace testing;

void expect_sound(const std::string& svg) {
  EXPECT_EQ(xml_fault(svg), "");
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

/// Widths of the rectangles of one colour and height, in order.
std::vector<double> widths(const std::string& svg, const std::string& height) {
  std::vector<double> found;
  const std::regex bar("<rect [^>]*width=\"([0-9.]+)\" height=\"" + height + "\" fill=\"#0072B2\"");
  for (std::sregex_iterator at(svg.begin(), svg.end(), bar), end; at != end; ++at) found.push_back(std::stod((*at)[1]));
  return found;
}

TEST(XmlCheck, FindsFaults) {
  EXPECT_EQ(xml_fault("<a b=\"c\"><d/>x &amp; y</a>\n"), "");
  EXPECT_NE(xml_fault("<a><b></a></b>"), "");
  EXPECT_NE(xml_fault("<a>&</a>"), "");
  EXPECT_NE(xml_fault("<a b=c></a>"), "");
  EXPECT_NE(xml_fault("<a>"), "");
  EXPECT_NE(xml_fault("<a>1 < 2</a>"), "");
}

TEST(Svg, IsWellFormedForAllSortsOfModels) {
  expect_sound(components_svg(some_model({40, 7}, 1), {}));
  expect_sound(components_svg(some_model({1, 1, 1}, 1), {}));
  expect_sound(components_svg(some_model({9}, 2), {}));
  expect_sound(components_svg(some_model({100, 24, 50, 20, 9}, 12), {}));
  expect_sound(components_svg(signed_model({100, 24, 5}, 3), {}));
  expect_sound(components_svg(KTensor(Factors({5, 40}, 2)), {}));
}

TEST(Svg, EscapesEveryLabel) {
  const SvgOptions options{.title = "<script>&\"'", .names = {"<i>one</i>", "two & three"}};
  for (const KTensor& model : {some_model({6, 40, 24}, 2), signed_model({6, 40, 24}, 2)}) {
    const std::string svg = components_svg(model, hostile_labels(), options);
    expect_sound(svg);
    EXPECT_EQ(svg.find("<script"), std::string::npos);
    EXPECT_EQ(svg.find("<b "), std::string::npos);
    EXPECT_EQ(svg.find('\x1b'), std::string::npos);
    EXPECT_NE(svg.find("&lt;script&gt;"), std::string::npos);
    EXPECT_NE(svg.find("🚲"), std::string::npos);
  }
}

TEST(Svg, NonFiniteEntriesDoNotReachThePicture) {
  KTensor model = some_model({50, 6}, 2);
  model.factors.at(0, 3, 0) = std::numeric_limits<double>::quiet_NaN();
  model.factors.at(1, 2, 1) = -std::numeric_limits<double>::infinity();
  expect_sound(components_svg(model, {}));
}

TEST(Svg, BarsAreProportional) {
  Factors f({4, 3}, 1);
  for (std::size_t i = 0; i < 4; ++i) f.at(0, i, 0) = static_cast<double>(i);
  for (std::size_t i = 0; i < 3; ++i) f.at(1, i, 0) = 1;
  Labels labels(2);
  labels.mode(0).entries = {"none", "single", "double", "triple"};
  const auto bars = widths(components_svg(KTensor(f), labels), "10.0");
  ASSERT_EQ(bars.size(), 4u);
  EXPECT_EQ(bars[0], 0);
  EXPECT_NEAR(bars[2] / bars[1], 2, 0.01);
  EXPECT_NEAR(bars[3] / bars[1], 3, 0.01);
}

TEST(Svg, ManyNamesShowTheLargestAndTheOthers) {
  Factors f({50, 2}, 1);
  for (std::size_t i = 0; i < 50; ++i) f.at(0, i, 0) = i == 17 ? 51 : 1;
  f.at(1, 0, 0) = 1;
  Labels labels(2);
  for (int i = 0; i < 50; ++i) labels.mode(0).entries.push_back(fmt::format("name {}", i));
  const std::string svg = components_svg(KTensor(f), labels, {.top = 5});
  EXPECT_NE(svg.find(">name 17<"), std::string::npos);
  EXPECT_NE(svg.find(">51 %<"), std::string::npos);
  EXPECT_NE(svg.find(">45 others<"), std::string::npos);
  EXPECT_NE(svg.find(">45 %<"), std::string::npos);
  EXPECT_EQ(svg.find(">name 30<"), std::string::npos);
}

TEST(Svg, LongModesStaySmallAndKeepTheirPeaks) {
  Factors f({100000, 2}, 1);
  for (std::size_t i = 0; i < 100000; ++i) f.at(0, i, 0) = 1;
  f.at(0, 54321, 0) = 100;
  f.at(1, 0, 0) = 1;
  const std::string svg = components_svg(KTensor(f), {});
  expect_sound(svg);
  EXPECT_LT(svg.size(), 60000u);
  // The curve's highest point is the top of the plot, and only the peak reaches it.
  const std::size_t curve = svg.rfind("<path d=\"");
  const std::string points = svg.substr(curve, svg.find('"', curve + 9) - curve);
  double highest = 1e9, lowest = 0;
  for (std::size_t at = points.find(' ', 9); at != std::string::npos; at = points.find(' ', at + 1)) {
    const double y = std::stod(points.substr(at + 1));
    highest = std::min(highest, y);
    lowest = std::max(lowest, y);
  }
  EXPECT_GT(lowest - highest, 60);
}

TEST(Svg, LimitsComponentsAndChecksLabels) {
  const KTensor model = some_model({5, 6}, 4);
  const std::string two = components_svg(model, {}, {.components = 2});
  EXPECT_NE(two.find(">2</text>"), std::string::npos);
  EXPECT_EQ(two.find("#009E73"), std::string::npos);
  Labels wrong(2);
  wrong.mode(0).entries = {"one"};
  EXPECT_THROW(components_svg(model, wrong), Error);
}

TEST(Svg, IsAsWideAsAskedOrAsTheColumnsNeed) {
  EXPECT_NE(components_svg(some_model({5, 6}, 1), {}, {.width = 900}).find("width=\"900\""), std::string::npos);
  EXPECT_EQ(components_svg(some_model({5, 6, 50, 50, 50, 50}, 1), {}, {.width = 500}).find("width=\"500\""),
            std::string::npos);
}

}  // namespace
}  // namespace polyad
