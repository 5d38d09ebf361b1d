#include "gzip.hpp"
#include "temp_folder.hpp"
#include "tensors.hpp"

#include <polyad/base/error.hpp>
#include <polyad/files.hpp>
#include <polyad/io/table/timestamps.hpp>
#include <polyad/tensor/tensor.hpp>

#include <gmock/gmock.h>

namespace polyad {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Entries = std::map<Cell, double>;

class TableImport : public TempFolder {
 protected:
  Tensor import(const std::string& text, const std::vector<std::string>& modes) {
    options_.modes = modes;
    report_ = {};
    remarks_.clear();
    return import_table(write("t.csv", text), options_, report_, &remarks_);
  }
  std::string error(const std::string& text, const std::vector<std::string>& modes, ErrorKind kind = ErrorKind::data) {
    return error_of([&] { import(text, modes); }, kind);
  }

  ImportOptions options_;
  ImportReport report_;
  Remarks remarks_;
};

TEST_F(TableImport, CountsRows) {
  const Tensor x = import("when,where\n2020-01-31 07:30:00,b\n2020-02-01 07:59:59,a\n2020-01-31 07:00:00,b\n",
                          {"day=when:day", "hour=when:hour", "where"});
  EXPECT_EQ(x.space(), IndexSpace({2, 24, 2}));
  EXPECT_THAT(x.labels().mode(0).entries, ElementsAre("2020-01-31", "2020-02-01"));
  EXPECT_EQ(x.labels().mode(1).entries[7], "07:00");
  EXPECT_THAT(x.labels().mode(2).entries, ElementsAre("a", "b"));
  EXPECT_EQ(entries_of(x), (Entries{{{0, 7, 1}, 2}, {{1, 7, 0}, 1}}));
  EXPECT_EQ(report_.rows, 3u);
  EXPECT_EQ(report_.used, 3u);
  EXPECT_THAT(remarks_, Contains("'when' is written YYYY-MM-DD hh:mm:ss"));
}

TEST_F(TableImport, SumsAColumnAndLeavesEmptyCellsOut) {
  options_.value = "amount";
  const Tensor x = import("shop;amount\nA;1.5\nB;2\nA;-0.5\n;9\nB;\nA;NA\n", {"shop"});
  EXPECT_EQ(entries_of(x), (Entries{{{0}, 1}, {{1}, 2}}));
  EXPECT_EQ(report_.used, 3u);
  EXPECT_THAT(report_.empty, ElementsAre(std::pair<std::string, std::uint64_t>("shop", 1),
                                         std::pair<std::string, std::uint64_t>("amount", 2)));
}

TEST_F(TableImport, QuotesNewlinesAndSeparators) {
  const Tensor x =
      import("\xef\xbb\xbf\"na,me\",n\r\n\"two\nlines\",1\r\n\"say \"\"hi\"\"\",2\r\n\"a,b\",10\r\n", {"na,me", "n"});
  EXPECT_THAT(x.labels().mode(0).entries, ElementsAre("a,b", "say \"hi\"", "two\nlines"));
  EXPECT_THAT(x.labels().mode(1).entries, ElementsAre("1", "2", "10"));
  EXPECT_EQ(import("a\tb\n1\t2\n", {"a", "b"}).space(), IndexSpace({1, 1}));
  options_.separator = "|";
  EXPECT_EQ(import("a|b,c\n1|2\n", {"a", "b,c"}).space(), IndexSpace({1, 1}));
  options_.separator = "tab";
  EXPECT_EQ(import("a\tb,c\n1\t2\n", {"b,c"}).space(), IndexSpace({1}));
}

TEST_F(TableImport, Compressed) {
  options_.modes = {"a"};
  EXPECT_EQ(entries_of(import_table(write("t.csv.gz", gzipped("a\nx\nx\n")), options_, report_, nullptr)),
            (Entries{{{0}, 2}}));
}

TEST_F(TableImport, OrdersOfLabels) {
  const std::string text = "t\nb\nc\nc\na\n10\n";
  EXPECT_THAT(import(text, {"t"}).labels().mode(0).entries, ElementsAre("10", "a", "b", "c"));
  options_.order = {"t=frequency"};
  EXPECT_THAT(import(text, {"t"}).labels().mode(0).entries, ElementsAre("c", "10", "a", "b"));
  options_.order = {"t=appearance"};
  EXPECT_THAT(import(text, {"t"}).labels().mode(0).entries, ElementsAre("b", "c", "a", "10"));
  options_.order = {"x=appearance"};
  EXPECT_THAT(error(text, {"t"}, ErrorKind::usage), HasSubstr("NAME is a mode's"));
}

TEST_F(TableImport, TimeFunctions) {
  const std::string text = "t\n2021-12-31\n2022-02-28\n";
  EXPECT_THAT(import(text, {"t:month"}).labels().mode(0).entries, ElementsAre("2021-12", "2022-01", "2022-02"));
  EXPECT_THAT(import(text, {"t:year"}).labels().mode(0).entries, ElementsAre("2021", "2022"));
  const Tensor week = import(text, {"t:week"});
  EXPECT_EQ(week.space(), IndexSpace({10}));
  EXPECT_EQ(week.labels().mode(0).entries.front(), "2021-12-27");
  EXPECT_EQ(week.labels().mode(0).entries.back(), "2022-02-28");
  EXPECT_EQ(entries_of(import(text, {"t:weekday"})), (Entries{{{4}, 1}, {{0}, 1}}));
  EXPECT_EQ(entries_of(import(text, {"t:month-of-year"})), (Entries{{{11}, 1}, {{1}, 1}}));
  EXPECT_EQ(import(text, {"d=t:day"}).space(), IndexSpace({60}));
  EXPECT_THAT(remarks_, Contains("d: 58 of 60 from 2021-12-31 to 2022-02-28 have no rows and are all zeros"));
  EXPECT_EQ(import("t\n2021-12-31\n9999-01-01\n", {"t:day"}).space(), IndexSpace({2}));
  EXPECT_THAT(remarks_, Contains(HasSubstr("wide gaps")));
}

TEST_F(TableImport, Bins) {
  const Tensor x = import("v\n-0.5\n0\n4.99\n12\n", {"v:bin=5"});
  EXPECT_THAT(x.labels().mode(0).entries, ElementsAre("-5 to 0", "0 to 5", "5 to 10", "10 to 15"));
  EXPECT_EQ(entries_of(x), (Entries{{{0}, 1}, {{1}, 2}, {{3}, 1}}));
  EXPECT_THAT(error("v\nx\n", {"v:bin=5"}), HasSubstr(":2: 'x' in column 'v' is not"));
  EXPECT_THAT(error("v\n1\n", {"v:bin=0"}, ErrorKind::usage), HasSubstr("a number above 0"));
}

// Which number is the day and which the month is decided by all rows, not by the first ones.
TEST_F(TableImport, DayOrMonthFirst) {
  import("t\n01/02/2020\n13/02/2020\n", {"t:day"});
  EXPECT_THAT(remarks_, Contains("'t' is written DD/MM/YYYY"));
  import("t\n01/02/2020\n02/13/2020\n", {"t:day"});
  EXPECT_THAT(remarks_, Contains("'t' is written MM/DD/YYYY"));
  const Tensor x = import("t\n01/02/2020\n", {"t:day"});
  EXPECT_THAT(
      remarks_,
      Contains(HasSubstr("(or DD/MM/YYYY, which fits as well: " + option_name("time-layout", "'d/m/Y'") + ")")));
  EXPECT_THAT(x.labels().mode(0).entries, ElementsAre("2020-01-02"));
  options_.time_layouts = {"t=d/m/Y"};
  EXPECT_THAT(import("t\n01/02/2020\n", {"t:day"}).labels().mode(0).entries, ElementsAre("2020-02-01"));
  options_.time_layouts = {};
  EXPECT_THAT(error("t\n13/02/2020\n02/13/2020\n", {"t:day"}), HasSubstr(":3: '02/13/2020'"));
  options_.bad_rows = BadRows::skip;
  EXPECT_EQ(import("t\n13/02/2020\n02/13/2020\n", {"t:day"}).observed(), 1);
  EXPECT_EQ(report_.bad, 1u);
}

TEST_F(TableImport, Usage) {
  EXPECT_THAT(error("Area,b\n1,2\n", {"x=Aera"}, ErrorKind::usage), HasSubstr("did you mean 'Area'?"));
  EXPECT_THAT(error("a,b\n1,2\n", {"a:dya"}, ErrorKind::usage), HasSubstr("'dya' is not a function"));
  EXPECT_THAT(error("a,b\n1,2\n", {}, ErrorKind::usage), HasSubstr("tensor: mode NAME=COLUMN"));
  EXPECT_THAT(error("a,b\n1,2,3\n", {"a"}), HasSubstr(":2: 3 fields, but the header has 2"));
  EXPECT_THAT(error("", {"a"}), HasSubstr("is empty"));
  EXPECT_THAT(error("a\n", {"a"}), HasSubstr("none of its 0 rows"));
  EXPECT_THAT(error("a\n\xff\n", {"a"}), HasSubstr("UTF-8"));
  EXPECT_THAT(error("a;\"!c\n\n\"\n", {"x"}, ErrorKind::usage), HasSubstr("its columns: a, !c  "));
}

TEST(Timestamps, Layouts) {
  const auto at = [](const char* text, const char* layout) {
    const auto time = parse_timestamp(text, layout);
    if (!time) return std::string("nothing");
    const Date date = date_of(time->day);
    return fmt::format("{}-{}-{} {}:{}", date.year, date.month, date.day, time->hour, time->minute);
  };
  EXPECT_EQ(at("07/01/2017 12:05:00 AM", "m/d/Y I:M:S p"), "2017-7-1 0:5");
  EXPECT_EQ(at("07/01/2017 12:05:00 pm", "m/d/Y I:M:S p"), "2017-7-1 12:5");
  EXPECT_EQ(at("2017-07-01T23:59:60.123+02:00", "Y-m-dTH:M:Sz"), "2017-7-1 23:59");
  EXPECT_EQ(at("3 March 2000", "d b Y"), "2000-3-3 0:0");
  EXPECT_EQ(at("1500000000", "s"), "2017-7-14 2:40");
  EXPECT_EQ(at("1500000000123", "t"), "2017-7-14 2:40");
  EXPECT_EQ(at("-1", "s"), "1969-12-31 23:59");
  for (const char* bad : {"2019-02-29", "2020-13-01", "2020-00-10", "2020-1-", "x", "", "2020-01-01 "}) {
    EXPECT_EQ(at(bad, "Y-m-d"), "nothing") << bad;
  }
  EXPECT_EQ(at("13:00 PM", "I:M p"), "nothing");
}

// Every day of eight centuries there and back, against the calendar's own rules.
TEST(Timestamps, Calendar) {
  Date date{1600, 1, 1};
  std::int64_t day = day_of(date);
  EXPECT_EQ(day_of({1970, 1, 1}), 0);
  EXPECT_EQ(day_of({2000, 3, 1}), 11017);
  for (; date.year < 2400; ++day) {
    const Date back = date_of(day);
    ASSERT_EQ(std::tuple(back.year, back.month, back.day), std::tuple(date.year, date.month, date.day));
    ASSERT_EQ(day_of(date), day);
    static constexpr int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = date.year % 4 == 0 && (date.year % 100 != 0 || date.year % 400 == 0);
    if (++date.day <= days[date.month - 1] + (date.month == 2 && leap ? 1 : 0)) continue;
    date.day = 1;
    if (++date.month <= 12) continue;
    date.month = 1;
    ++date.year;
  }
  EXPECT_EQ(weekday_of(day_of({2026, 11, 16})), 0);
  EXPECT_EQ(weekday_of(-1), 2);
}

// A quote that is not closed on line 2 of 1,000: formerly one row, exit 0.
TEST_F(TableImport, AnUnclosedQuoteIsRefused) {
  std::string text = "a,v\nx,\"1\n";
  for (int i = 0; i < 1000; ++i) text += "y,2\n";
  EXPECT_THAT(error(text, {"a"}), HasSubstr("t.csv:2: the quote that opens column 2 here is not closed"));
}

TEST_F(TableImport, RowsOfOtherLengthsAreRefusedSkippedOrFilled) {
  const std::string text = "a,b,c\n1,2,3\n4,5\n\n6,7,8,9\n4,4,4\n";
  EXPECT_THAT(error(text, {"a"}), HasSubstr("t.csv:3: 2 fields, but the header has 3; is the row cut short?"));
  options_.short_rows = ShortRows::fill;
  EXPECT_THAT(error(text, {"a"}), HasSubstr("t.csv:5: 4 fields, but the header has 3; is a text with ',' in it"));
  options_.bad_rows = BadRows::skip;
  EXPECT_EQ(entries_of(import(text, {"a"})), (Entries{{{0}, 1}, {{1}, 2}}));
  EXPECT_EQ(report_.rows, 4u);
  EXPECT_EQ(report_.bad, 1u);
  options_.short_rows = ShortRows::refuse;
  EXPECT_EQ(entries_of(import(text, {"a"})), (Entries{{{0}, 1}, {{1}, 1}}));
  EXPECT_EQ(report_.bad, 2u);
}

TEST_F(TableImport, ColumnsOfTheSameNameAreChosenByNumber) {
  EXPECT_THAT(error("a,b,a\n1,2,3\n", {"a"}), HasSubstr("columns 1 and 3 are both named 'a'"));
  EXPECT_THAT(import("a,b,a\n1,2,3\n", {"x=#3", "b"}).labels().mode(0).entries, ElementsAre("3"));
  EXPECT_THAT(error("a,b\n1,2\n", {"#3"}, ErrorKind::usage), HasSubstr("has no column '#3'"));
}

TEST_F(TableImport, WhatIsNotUtf8IsRefusedOrTranslated) {
  const std::string text = "a,b\nx,1\nM\xfcnchen \x80,2\n";
  EXPECT_THAT(error(text, {"b"}), HasSubstr("t.csv:3: 'M?nchen ?' in column 'a' is not UTF-8; say encoding"));
  EXPECT_THAT(error("\xe4,b\n1,2\n", {"b"}), HasSubstr("t.csv:1: the name of column 1, '?', is not UTF-8"));
  options_.encoding = TableEncoding::windows_1252;
  EXPECT_THAT(import(text, {"a"}).labels().mode(0).entries, ElementsAre("München €", "x"));
  options_.encoding = TableEncoding::utf8;
  options_.bad_rows = BadRows::skip;
  EXPECT_THAT(import(text, {"a"}).labels().mode(0).entries, ElementsAre("x"));
}

TEST_F(TableImport, CellsThatWouldBeComputedComeBack) {
  Labels labels(1);
  labels.mode(0).name = "=mode";
  labels.mode(0).entries = {"'=y", "+1", "-2", "=cmd|' /C calc'!A0", "@x"};
  Records records(1);
  for (Index i = 0; i < 5; ++i) records.append(&i, i + 1.0);
  const Tensor x(SparseTensor(IndexSpace({5}), std::move(records)), labels);
  write_tensor(path("t.csv"), x);
  EXPECT_EQ(bytes_of(path("t.csv")), "'=mode,value\n''=y,1\n+1,2\n-2,3\n\"'=cmd|' /C calc'!A0\",4\n'@x,5\n");
  options_.value = "value";
  expect_same_tensor(import(bytes_of(path("t.csv")), {"=mode"}), x);
  write_tensor(path("t.csv"), x, {.raw = true});
  EXPECT_THAT(bytes_of(path("t.csv")), HasSubstr("=mode,value\n'=y,1\n+1,2"));
  options_.raw = true;
  expect_same_tensor(import(bytes_of(path("t.csv")), {"=mode"}), x);
}

}  // namespace
}  // namespace polyad
