#include "gzip.hpp"
#include "temp_folder.hpp"

#include <polyad/base/error.hpp>
#include <polyad/io/tns/entries.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <iterator>

namespace polyad {
namespace {

using ::testing::HasSubstr;

// Text of a few blocks: 3 modes, a comment or an empty line now and then.
std::string long_text(std::size_t lines) {
  std::string text;
  for (std::size_t i = 1; i <= lines; ++i) {
    if (i % 1001 == 0) {
      text += "# line " + std::to_string(i) + "\n";
    } else if (i % 777 == 0) {
      text += "\r\n";
    } else {
      fmt::format_to(std::back_inserter(text), "{} {} {} {}\n", 10 + i % 89, 10 + i * i % 1013, 10 + i % 7, 0.25 * i);
    }
  }
  return text;
}

std::string with_line(const std::string& text, std::size_t number, const std::string& line) {
  std::size_t begin = 0;
  for (std::size_t i = 1; i < number; ++i) begin = text.find('\n', begin) + 1;
  return text.substr(0, begin) + line + text.substr(text.find('\n', begin));
}

class TnsBlocks : public TempFolder {
 protected:
  // Line after line, and by a team of any size: the same records, in the same order, and the same places.
  void expect_same(const std::string& text) {
    TnsEntries oracle("x", 3, true, "");
    oracle.parse(text, 1);
    for (const auto& file : {write("x.tns", text), write("x.tns.gz", gzipped(text))}) {
      for (const std::size_t threads : {1, 3}) {
        TextSource source(file);
        TnsEntries entries(file, 3, true, "");
        parse_blocks(source, 1, threads, entries);
        ASSERT_EQ(entries.records().size(), oracle.records().size());
        for (std::size_t i = 0; i < oracle.records().size(); ++i) {
          ASSERT_TRUE(std::ranges::equal(entries.records().cell(i), oracle.records().cell(i))) << i;
          ASSERT_EQ(entries.records().value(i), oracle.records().value(i)) << i;
        }
        expect_place(entries.smallest(), oracle.smallest());
        for (std::size_t k = 0; k < 3; ++k) expect_place(entries.largest(k), oracle.largest(k));
      }
    }
  }
  static void expect_place(TnsEntries::Place a, TnsEntries::Place b) {
    EXPECT_EQ(a.index, b.index);
    EXPECT_EQ(a.line, b.line);
    EXPECT_EQ(a.mode, b.mode);
  }
  std::string error(const std::string& file, std::size_t threads) {
    return error_of(
        [&] {
          TextSource source(file);
          TnsEntries entries(file, 3, true, "because");
          parse_blocks(source, 1, threads, entries);
        },
        ErrorKind::data);
  }
};

TEST_F(TnsBlocks, GiveWhatLineAfterLineGives) {
  const std::string text = long_text(150'000);
  ASSERT_GT(text.size(), std::size_t{8} * 256 * 1024);
  expect_same(text);
  expect_same(with_line(with_line(text, 77'777, "3 4000000 3 1"), 140'000, "4000000 3 4000000 1"));
  expect_same(long_text(3));
  expect_same("");
}

TEST_F(TnsBlocks, TheFirstErrorIsTold) {
  const std::string text = long_text(150'000);
  for (const std::size_t line : {1u, 30'000u, 149'999u}) {
    const std::string broken = with_line(with_line(text, line, "1 2 x 4"), 150'000, "1 2 3");
    for (const auto& file : {write("x.tns", broken), write("x.tns.gz", gzipped(broken))}) {
      for (const std::size_t threads : {1, 3}) {
        EXPECT_THAT(error(file, threads), HasSubstr(fmt::format(":{}: field 3: 'x' is not an index", line)));
      }
    }
  }
}

TEST_F(TnsBlocks, LinesBeforeDamageAreJudgedFirst) {
  const std::string text = long_text(150'000);
  const std::string packed = gzipped(text);
  const std::string cut = write("cut.tns.gz", packed.substr(0, packed.size() - 1000));
  const std::string bad = gzipped(with_line(text, 100, "1 2 3 nonsense"));
  const std::string bad_and_cut = write("bad.tns.gz", bad.substr(0, bad.size() - 1000));
  std::string zero = text;
  zero[zero.size() - 100] = '\0';
  const std::string binary = write("zero.tns", zero);
  for (const std::size_t threads : {1, 3}) {
    EXPECT_THAT(error(cut, threads), HasSubstr("truncated gzip file"));
    EXPECT_THAT(error(bad_and_cut, threads), HasSubstr(":100: field 4: 'nonsense' is not a number"));
    EXPECT_THAT(error(binary, threads), HasSubstr("a zero byte"));
  }
}

TEST_F(TnsBlocks, LinesAreCounted) {
  EXPECT_EQ(count_lines(""), 0u);
  EXPECT_EQ(count_lines("a\n\nb"), 2u);
  EXPECT_EQ(count_lines(std::string(100'000, '\n')), 100'000u);
  EXPECT_EQ(count_lines(long_text(12'345)), 12'345u);
}

}  // namespace
}  // namespace polyad
