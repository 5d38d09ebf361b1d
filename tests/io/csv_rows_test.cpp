// Separated values by strict rules. The oracle for what is accepted is a second, naive parser of a whole text; what is refused is
// stated with its line.

#include "temp_folder.hpp"

#include <polyad/io/table/csv_rows.hpp>

#include <gmock/gmock.h>

#include <random>

namespace polyad {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Rows = std::vector<std::vector<std::string>>;

struct Parsed {
  Rows rows;
  std::vector<std::uint64_t> lines;
};

Parsed parse(std::string_view text, std::size_t piece = 1 << 20, char separator = ',') {
  Parsed out;
  CsvRows rows("t.csv", separator, [&](const CsvRow& row) {
    out.rows.emplace_back(row.fields.begin(), row.fields.end());
    out.lines.push_back(row.line);
    return true;
  });
  while (!text.empty()) {
    rows.take(text.substr(0, piece));
    text.remove_prefix(std::min(piece, text.size()));
  }
  rows.finish();
  return out;
}

std::string refused(std::string_view text) {
  return error_of([&] { parse(text); }, ErrorKind::data);
}

TEST(CsvRows, TakesFieldsApart) {
  EXPECT_EQ(parse("a,b\n1,\"x, \"\"y\"\"\"\n").rows, (Rows{{"a", "b"}, {"1", "x, \"y\""}}));
  EXPECT_EQ(parse(" a ,\tb c \r\n\" d \" ,\r\n,").rows, (Rows{{"a", "b c"}, {" d ", ""}, {"", ""}}));
  EXPECT_EQ(parse("a\r\rb\n\n  \n\"\"\nc").rows, (Rows{{"a"}, {"b"}, {""}, {"c"}}));
  EXPECT_EQ(parse("a;b\n1,5;\"2\n3\"\n", 1, ';').rows, (Rows{{"a", "b"}, {"1,5", "2\n3"}}));
  EXPECT_EQ(parse("a\tb\n1\t\n", 1, '\t').rows, (Rows{{"a", "b"}, {"1", ""}}));
}

TEST(CsvRows, CountsLinesAlsoWithinQuotes) {
  EXPECT_THAT(parse("a,b\n\"1\n\n2\",x\r\n\r\ny,z\rw,v\n").lines, ElementsAre(1, 2, 6, 7));
  EXPECT_THAT(parse("\n\na\r\n\"b\r\nc\"\r\nd\r\n", 1).lines, ElementsAre(3, 4, 6));
}

// Wherever the text is cut into pieces.
TEST(CsvRows, PiecesDoNotMatter) {
  const std::string text = "a,b\r\n\"x \"\"\r\n y\" , z\n,\n\n1 2,\"\"\r";
  const Parsed whole = parse(text);
  for (std::size_t piece = 1; piece < text.size(); ++piece) {
    EXPECT_EQ(parse(text, piece).rows, whole.rows) << piece;
    EXPECT_EQ(parse(text, piece).lines, whole.lines) << piece;
  }
}

TEST(CsvRows, AnUnclosedQuoteNamesTheLineWhereItBegan) {
  EXPECT_THAT(refused("a,b\n1,2\n3,\"x\n5,6\n7,8\n"),
              HasSubstr("t.csv:3: the quote that opens column 2 here is not closed"));
  EXPECT_THAT(refused("a,b\n1,2\n3,\"x\n5,\"6\"\n"),
              HasSubstr("t.csv:3: the quote that opens column 2 here seems not to be"));
  EXPECT_THAT(refused("a,b\n1,\"" + std::string(1 << 21, '\n')), HasSubstr("t.csv:2: the quote that opens column 2"));
}

TEST(CsvRows, QuotesWithinFieldsAreRefusedAtTheirLine) {
  EXPECT_THAT(refused("a,b\n1,5\" pipe\n"), HasSubstr("t.csv:2: a quote within column 2"));
  EXPECT_THAT(refused("a,b\n\n1,\"5\" pipe\n"), HasSubstr("t.csv:3: 'p' follows the quote that closes column 2"));
  EXPECT_THAT(refused(std::string("a,b\n1,\0\n", 8)), HasSubstr("t.csv:2: a zero byte"));
  EXPECT_THAT(refused("a\n" + std::string(1 << 21, 'x')), HasSubstr("t.csv:2: column 1 has over a million bytes"));
}

TEST(CsvCell, WhatIsWrittenComesBack) {
  const std::string alphabet = "=+-@'\t\r\n\", ;a1.e|";
  std::mt19937 generator(7);
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (std::size_t n = generator() % 6; n > 0; --n) text += alphabet[generator() % alphabet.size()];
    for (const bool raw : {false, true}) {
      const std::string cell = csv_cell(text, raw);
      Rows rows = parse(cell + ",x\n").rows;
      ASSERT_EQ(rows.size(), 1u);
      ASSERT_EQ(rows[0].size(), 2u) << cell;
      std::string& read = rows[0][0];
      const bool computed = !read.empty() && std::string_view("=+-@\t\r").find(read[0]) != std::string_view::npos;
      const bool number = read.find_first_not_of("+-.e1") == std::string::npos;
      if (!raw) {
        EXPECT_TRUE(!computed || number) << "a spreadsheet computes " << cell;
        take_apostrophe_off(read);
      }
      EXPECT_EQ(read, text) << cell;
    }
  }
}

TEST(CsvCell, NumbersStayNumbers) {
  for (const char* number : {"-1.5", "+3", "-1e-300", "12", "-0"}) EXPECT_EQ(csv_cell(number), number);
  EXPECT_EQ(csv_cell("-1+1"), "'-1+1");
  EXPECT_EQ(csv_cell("=1"), "'=1");
  EXPECT_EQ(csv_cell("'=1"), "''=1");
  EXPECT_EQ(csv_cell("@x,y"), "\"'@x,y\"");
  EXPECT_EQ(csv_cell("=1", true), "=1");
}

}  // namespace
}  // namespace polyad
