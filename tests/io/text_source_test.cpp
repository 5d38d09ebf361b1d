#include "gzip.hpp"
#include "temp_folder.hpp"

#include <polyad/base/error.hpp>
#include <polyad/io/open.hpp>
#include <polyad/io/text/text_source.hpp>

#include <gmock/gmock.h>

namespace polyad {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class TextSourceTest : public TempFolder {
 protected:
  std::vector<std::string> lines(const std::string& bytes) {
    TextSource source(write("x", bytes));
    std::vector<std::string> out;
    std::string_view line;
    while (source.next_line(line)) out.emplace_back(line);
    EXPECT_EQ(source.line(), out.size());
    return out;
  }
};

std::string many_lines(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += std::to_string(i * 7919 % 100003) + " " + std::to_string(i) + " 1\n";
  return text;
}

TEST_F(TextSourceTest, Lines) {
  EXPECT_THAT(lines("a\nb\r\n\nc"), ElementsAre("a", "b", "", "c"));
  EXPECT_THAT(lines("\n"), ElementsAre(""));
  EXPECT_THAT(lines(""), ElementsAre());
  EXPECT_THAT(lines("a\rb\n"), ElementsAre("a\rb"));
}

TEST_F(TextSourceTest, BlocksHoldAllLinesWhole) {
  const std::string text = many_lines(100000);
  for (const std::string& bytes : {text, gzipped(text)}) {
    TextSource source(write("x", bytes));
    std::string_view first;
    ASSERT_TRUE(source.next_line(first));
    std::string all = std::string(first) + "\n";
    for (std::string_view block = source.next_block(); !block.empty(); block = source.next_block()) {
      EXPECT_EQ(block.back(), '\n');
      all += block;
    }
    EXPECT_EQ(all, text);
  }
}

TEST_F(TextSourceTest, LongLinesUpToALimit) {
  const std::string line(900000, 'x');
  EXPECT_THAT(lines(line + "\ny\n"), ElementsAre(line, "y"));
}

TEST_F(TextSourceTest, GzipMembersOneAfterTheOther) {
  EXPECT_THAT(lines(gzipped("a\nb") + gzipped("c\n") + gzipped("")), ElementsAre("a", "bc"));
  EXPECT_THAT(lines(gzipped("a\n") + std::string(1000, '\0')), ElementsAre("a")) << "padding";
}

TEST_F(TextSourceTest, GzipWithOtherBytesBehind) {
  EXPECT_THAT(error_of([&] { lines(gzipped("a\n") + "junk"); }, ErrorKind::data),
              HasSubstr("is damaged: other bytes follow its gzip data, from byte 22 on"));
}

TEST_F(TextSourceTest, TruncatedGzipAtEveryByte) {
  const std::string whole = gzipped(many_lines(2000));
  for (std::size_t size = 2; size < whole.size(); size += 1 + size / 100) {
    EXPECT_THAT(error_of([&] { read_tensor(write("x.tns.gz", whole.substr(0, size))); }, ErrorKind::data),
                HasSubstr(fmt::format("is a truncated gzip file: it ends after {} bytes", size)));
  }
  for (std::size_t cut = 1; cut <= 8; ++cut) {
    EXPECT_NE(error_of([&] { read_tensor(write("x.tns.gz", whole.substr(0, whole.size() - cut))); }, ErrorKind::data),
              "");
  }
}

TEST_F(TextSourceTest, DamagedGzipAtManyBytes) {
  const std::string whole = gzipped(many_lines(2000));
  for (std::size_t at = 10; at < whole.size(); at += 37) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
    EXPECT_NE(error_of([&] { read_tensor(write("x.tns.gz", bytes)); }, ErrorKind::data), "") << at;
  }
  std::string bytes = whole;
  bytes[whole.size() - 6] ^= 1;  // the checksum
  EXPECT_THAT(error_of([&] { read_tensor(write("x.tns.gz", bytes)); }, ErrorKind::data),
              HasSubstr("is a damaged gzip file: incorrect data check"));
}

TEST_F(TextSourceTest, BinaryInsideGzip) {
  EXPECT_THAT(error_of([&] { read_tensor(write("x", gzipped(std::string("\x93NUMPY\x01\0", 8)))); }, ErrorKind::data),
              HasSubstr("is a NumPy array, compressed by gzip: unpack it first; polyad reads .h5"));
  EXPECT_THAT(error_of([&] { read_tensor(write("x", gzipped(std::string("1 2\0", 4)))); }, ErrorKind::data),
              HasSubstr("x:1: a zero byte"));
}

}  // namespace
}  // namespace polyad
