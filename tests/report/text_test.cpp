#include <polyad/io/table/csv_rows.hpp>
#include <polyad/report.hpp>
#include <polyad/report/text/readable.hpp>
#include <polyad/report/text/text.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace polyad {
namespace {

TEST(Text, ControlCharactersAndBrokenBytesDoNotPass) {
  EXPECT_EQ(printable("a\x1b[31mred\x07"), "a\xEF\xBF\xBD[31mred\xEF\xBF\xBD");
  EXPECT_EQ(printable("tab\tline\nend"), "tab line end");
  EXPECT_EQ(printable("\xff\xc3"), "\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(printable("\xC0\xAF"), "\xEF\xBF\xBD\xEF\xBF\xBD");              // overlong
  EXPECT_EQ(printable("\xED\xA0\x80").find("\xED\xA0"), std::string::npos);  // surrogate
  EXPECT_EQ(printable("Zürich 漢字 🚲"), "Zürich 漢字 🚲");
  EXPECT_EQ(printable("a\xE2\x80\xAE"
                      "b"),
            "a\xEF\xBF\xBD"
            "b");  // right-to-left override
}

TEST(Text, WidthCountsColumns) {
  EXPECT_EQ(display_width("Zürich"), 6u);
  EXPECT_EQ(display_width("漢字"), 4u);
  EXPECT_EQ(display_width("🚲"), 2u);
  EXPECT_EQ(display_width("e\xCC\x81"), 1u);
}

TEST(Text, CutsByColumns) {
  EXPECT_EQ(cut_to("abcdef", 6), "abcdef");
  EXPECT_EQ(cut_to("abcdef", 5), "abcd…");
  EXPECT_EQ(cut_to("abcdef", 5, true), "abcd~");
  EXPECT_EQ(cut_to("漢字漢字", 4), "漢…");
  EXPECT_EQ(cut_to("abc", 0), "");
  EXPECT_EQ(display_width(fit_to("漢字漢字", 4)), 4u);
  EXPECT_EQ(fit_to("ab", 4), "ab  ");
}

TEST(Text, EscapesXmlAndCsv) {
  EXPECT_EQ(xml_escape("<a href=\"x\">&'"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;");
  EXPECT_EQ(csv_cell("plain"), "plain");
  EXPECT_EQ(csv_cell("a,\"b\""), "\"a,\"\"b\"\"\"");
}

TEST(Bars, AreProportional) {
  EXPECT_EQ(text_bar(1, 4, false), "████");
  EXPECT_EQ(text_bar(0.5, 4, false), "██  ");
  EXPECT_EQ(text_bar(0.625, 1, false), "▋");
  EXPECT_EQ(text_bar(0, 3, false), "   ");
  EXPECT_EQ(text_bar(1e-9, 3, true), "#  ");
  EXPECT_EQ(text_bar(0.3, 10, true), "###       ");
  EXPECT_EQ(text_bar(7, 2, true), "##");
}

TEST(Bars, SparklineKeepsPeaks) {
  std::vector<double> values(1000, 0.0);
  values[501] = 5;
  const std::string line = sparkline(values, 10, true);
  EXPECT_EQ(line, "_____#____");
  EXPECT_EQ(sparkline({0, 1, 2, 3, 4, 5, 6, 8}, 80, false), "▁▂▃▄▅▆▇█");
  EXPECT_EQ(sparkline({-1, 0, 1}, 80, true), "_=#");
  EXPECT_EQ(sparkline({0, 0}, 80, true), "__");
  EXPECT_EQ(sparkline({-3, -1}, 80, true).size(), 2u);
}

TEST(Readable, NormalisesAndKeepsTheModelAndItsOrder) {
  Factors f({2, 3}, 2);
  for (std::size_t i = 0; i < 2; ++i) f.at(0, i, 0) = 1, f.at(0, i, 1) = static_cast<double>(i + 1);
  for (std::size_t i = 0; i < 3; ++i) f.at(1, i, 0) = 1, f.at(1, i, 1) = 5;
  const KTensor given(f);
  const ReadableModel shown = readable(given);
  EXPECT_TRUE(shown.nonnegative);
  EXPECT_DOUBLE_EQ(shown.model.weights[0], 6);
  EXPECT_DOUBLE_EQ(shown.model.weights[1], 45);  // (1+2) * 15
  EXPECT_DOUBLE_EQ(shown.shares[1], 45.0 / 51);
  EXPECT_DOUBLE_EQ(shown.model.factors.at(0, 1, 1), 2.0 / 3);
}

TEST(Readable, SignedModelsHaveNoShares) {
  Factors f({2, 2}, 1);
  f.at(0, 0, 0) = -3;
  f.at(0, 1, 0) = 4;
  f.at(1, 0, 0) = 2;
  const ReadableModel shown = readable(KTensor(f));
  EXPECT_FALSE(shown.nonnegative);
  EXPECT_TRUE(shown.shares.empty());
  EXPECT_DOUBLE_EQ(shown.model.weights[0], 10);
  EXPECT_DOUBLE_EQ(std::abs(shown.model.factors.at(0, 1, 0)), 0.8);
}

TEST(Readable, NonFiniteEntriesCountAsZero) {
  Factors f({2, 2}, 1);
  f.at(0, 0, 0) = std::numeric_limits<double>::quiet_NaN();
  f.at(0, 1, 0) = 1;
  f.at(1, 0, 0) = std::numeric_limits<double>::infinity();
  f.at(1, 1, 0) = 1;
  const ReadableModel shown = readable(KTensor(f));
  EXPECT_EQ(shown.model.factors.at(0, 0, 0), 0);
  EXPECT_EQ(shown.model.factors.at(1, 1, 0), 1);
  EXPECT_EQ(shown.model.weights[0], 1);
}

TEST(Readable, NumbersAreShort) {
  EXPECT_EQ(short_number(0), "0");
  EXPECT_EQ(short_number(0.03125), "0.0312");
  EXPECT_EQ(short_number(4510.2), "4510");
  EXPECT_EQ(short_number(-1.23456e9), "-1.23e+09");
  EXPECT_EQ(percent(0.424), "42 %");
  EXPECT_EQ(percent(0.0312), "3.1 %");
  EXPECT_EQ(percent(0.00002), "0.002 %");
  EXPECT_EQ(percent(0), "0 %");
  EXPECT_EQ(percent(1), "100 %");
}

TEST(TopEntries, AreLargestByMagnitudeWithoutZeros) {
  EXPECT_EQ(top_entries({0.1, -0.9, 0, 0.5, 0.5}, 3), (std::vector<std::size_t>{1, 3, 4}));
  EXPECT_EQ(top_entries({0, 0, 2}, 3), (std::vector<std::size_t>{2}));
  EXPECT_TRUE(top_entries({0, 0}, 3).empty());
}

}  // namespace
}  // namespace polyad
