#include "temp_folder.hpp"
#include "tensors.hpp"

#include <polyad/base/error.hpp>
#include <polyad/io/open.hpp>
#include <polyad/tensor/tensor.hpp>

#include <gmock/gmock.h>

namespace polyad {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Entries = std::map<Cell, double>;
using Shape = std::vector<std::uint64_t>;

class TnsRead : public TempFolder {
 protected:
  Tensor read(const std::string& text, const ReadOptions& options = {}) {
    remarks_.clear();
    return read_tensor(write("x.tns", text), options, &remarks_);
  }
  static Shape shape(const Tensor& tensor) {
    return {tensor.space().extents().begin(), tensor.space().extents().end()};
  }
  /// The message after "x.tns:".
  std::string error(const std::string& text, const ReadOptions& options = {}, ErrorKind kind = ErrorKind::data) {
    const std::string message = error_of([&] { read(text, options); }, kind);
    const std::string prefix = path("x.tns") + ":";
    return message.starts_with(prefix) ? message.substr(prefix.size()) : message;
  }
  Remarks remarks_;
};

TEST_F(TnsRead, OneBased) {
  const Tensor x = read("1 2 3 1.5\n2 1 1 -4\n");
  EXPECT_EQ(entries_of(x), (Entries{{{0, 1, 2}, 1.5}, {{1, 0, 0}, -4}}));
  EXPECT_EQ(shape(x), (Shape{2, 2, 3}));
  EXPECT_THAT(remarks_, ElementsAre("1-based indices (no index is 0)", "shape 2 x 2 x 3 (the largest indices)"));
}

TEST_F(TnsRead, ZeroBased) {
  const Tensor x = read("1 2 1\n3 0 2\n");
  EXPECT_EQ(entries_of(x), (Entries{{{1, 2}, 1}, {{3, 0}, 2}}));
  EXPECT_EQ(shape(x), (Shape{4, 3}));
  EXPECT_THAT(remarks_, Contains("0-based indices (index 0 on line 2)"));
}

TEST_F(TnsRead, OddButFineText) {
  const Entries expected{{{0, 1}, 1.5}, {{1, 0}, 4}};
  EXPECT_EQ(entries_of(read("# a comment\n\n1 2 1.5\n  \t\n # 9 9 9\n2 1 4\n\n")), expected);
  EXPECT_EQ(entries_of(read("1\t2\t1.5\r\n2 \t 1   4 \r\n")), expected);
  EXPECT_EQ(entries_of(read("1 2 1.5\n2 1 4")), expected) << "no end of the last line";
  EXPECT_EQ(entries_of(read("\xef\xbb\xbf"
                            "1 2 1.5\n2 1 4\n")),
            expected)
      << "byte order mark";
  EXPECT_EQ(entries_of(read("  1 2 +1.5e0 # why not\n2 1 4.\n")), expected);
  EXPECT_EQ(entries_of(read("001 02 .15E+1\n2 1 0004\n")), expected);
  EXPECT_EQ(entries_of(read("1 2 1.5\r\n\r\n# x\r\n2 1 4\r\n")), expected);
}

TEST_F(TnsRead, Values) {
  const Tensor x = read("1 1 123456789012345\n1 2 1234567890123456789\n2 1 -7\n2 2 1e-400\n3 1 0.1\n3 2 1e22\n");
  EXPECT_EQ(
      entries_of(x),
      (Entries{
          {{0, 0}, 123456789012345.0}, {{0, 1}, 1234567890123456789.0}, {{1, 0}, -7}, {{2, 0}, 0.1}, {{2, 1}, 1e22}}));
  EXPECT_THAT(remarks_, Contains(HasSubstr("1 explicit zero was dropped")));
}

TEST_F(TnsRead, DuplicatesAndZeros) {
  const Tensor x = read("1 1 1\n1 1 2\n2 2 5\n1 1 4\n1 2 0\n2 1 0\n");
  EXPECT_EQ(entries_of(x), (Entries{{{0, 0}, 7}, {{1, 1}, 5}}));
  EXPECT_THAT(remarks_, Contains("2 duplicate entries were summed"));
  EXPECT_THAT(remarks_, Contains("2 explicit zeros were dropped (unlisted cells are zeros anyway)"));
  ReadOptions options;
  options.unlisted = Unlisted::missing;
  const Tensor y = read("1 1 1\n1 2 0\n", options);
  EXPECT_EQ(entries_of(y), (Entries{{{0, 0}, 1}, {{0, 1}, 0}}));
  EXPECT_EQ(y.sparse()->unlisted(), Unlisted::missing);
  EXPECT_THAT(remarks_, Contains("unlisted cells are missing"));
}

TEST_F(TnsRead, Headers) {
  const Entries expected{{{0, 1}, 1.5}, {{1, 0}, 4}};
  for (const char* header : {"2\n30 40\n", "# comment\n2\n\n# another\n30 40\n2\n", "30 40\n", "# shape: 30x40\n",
                             "# shape: 30 x 40\n30 40\n"}) {
    const Tensor x = read(std::string(header) + "1 2 1.5\n2 1 4\n");
    EXPECT_EQ(entries_of(x), expected) << header;
    EXPECT_EQ(shape(x), (Shape{30, 40})) << header;
  }
  EXPECT_EQ(shape(read("1\n7\n3 1\n")), (Shape{7}));
  EXPECT_EQ(shape(read("1\n7\n1\n3 1\n")), (Shape{7})) << "with the number of entries";
}

// A first line of whole numbers is a header only if the next has one field more.
TEST_F(TnsRead, EntriesAreNotTakenForHeaders) {
  EXPECT_EQ(shape(read("5 6 7\n1 2 3\n")), (Shape{5, 6}));
  EXPECT_EQ(shape(read("5 6 7\n")), (Shape{5, 6}));
  EXPECT_EQ(error("5 6 7.5\n1 2 3 4\n"), "2: 4 fields, expected 3 (2 indices and a value; as on line 1)");
}

TEST_F(TnsRead, BrokenHeaders) {
  EXPECT_EQ(error("3\n"), "1: the file ends after the number of modes; the extents should follow");
  EXPECT_EQ(error("3\n5 5\n1 1 1 1\n"), "2: 2 fields, but line 1 announces 3 extents");
  EXPECT_EQ(error("sptensors\n3\n"),
            "1: 'sptensors' alone on the first line is neither an entry nor a number of modes from 1 to 16");
  EXPECT_EQ(error("17\n"), "1: '17' alone on the first line is neither an entry nor a number of modes from 1 to 16");
  EXPECT_EQ(error("2\n5 x\n1 1 1\n"), "2: field 2: 'x' is not an extent; a header gives the extent of each mode");
  EXPECT_EQ(error("# shape: 5x5\n5 6\n1 1 1\n"), "2: this header does not agree with the shape on line 1");
  EXPECT_THAT(error("2\n5 5\n3\n1 1 1\n2 2 1\n"), HasSubstr("announces 3 entries, the file has 2; is it cut short?"));
  EXPECT_THAT(error("2\n5 0\n1 1 1\n"), HasSubstr("mode 2 has extent 0"));
}

TEST_F(TnsRead, CommentsOfOurOwn) {
  const Tensor x = read("# base: 0\n# shape: 5x6\n# mode 2: hour of day\n# unlisted: missing\n1 2 3\n");
  EXPECT_EQ(entries_of(x), (Entries{{{1, 2}, 3}}));
  EXPECT_EQ(shape(x), (Shape{5, 6}));
  EXPECT_EQ(x.labels().mode(1).name, "hour of day");
  EXPECT_EQ(x.labels().mode(0).name, "");
  EXPECT_EQ(x.sparse()->unlisted(), Unlisted::missing);
  EXPECT_THAT(remarks_, ElementsAre("0-based indices (the file says so)", "shape 5 x 6 (from line 2)",
                                    "unlisted cells are missing (the file says so)"));
  const Tensor y = read("# base: sequence\n# shape: of things\n# mode x: y\n# mode 99: y\n# http://x\n1 2 3\n");
  EXPECT_EQ(shape(y), (Shape{1, 2})) << "comments that only look like ours mean nothing";
}

TEST_F(TnsRead, BaseGiven) {
  ReadOptions zero, one, two;
  zero.base = 0;
  one.base = 1;
  two.base = 2;
  EXPECT_EQ(entries_of(read("1 2 3\n", zero)), (Entries{{{1, 2}, 3}}));
  EXPECT_EQ(error("1 2 3\n4 0 1\n", one),
            "2: field 2: index 0 with base 1: indices start at 1 there; use base 0, or leave base out");
  EXPECT_EQ(error("# base: 1\n1 2 3\n0 4 1\n"),
            "3: field 1: index 0 with '# base: 1' in the file: indices start at 1 there; use base 0");
  EXPECT_EQ(error("1 2 3\n", two, ErrorKind::usage), "base must be 0 or 1 (is 2)");
  read("# base: 1\n1 0 3\n", zero);
  EXPECT_THAT(remarks_, Contains("0-based indices (" + option_name("base") + ", although the file says 1)"));
}

TEST_F(TnsRead, ShapeGiven) {
  ReadOptions options;
  options.shape = {3, 4};
  EXPECT_EQ(shape(read("1 2 5\n", options)), (Shape{3, 4}));
  EXPECT_THAT(remarks_, Contains("shape 3 x 4 (from " + option_name("shape") + ")"));
  EXPECT_EQ(error("1 2 5\n3 4 1\n\n1 5 2\n", options),
            "4: field 2: index 5 is beyond the extent 4 of mode 2 (from shape, 1-based indices)");
  EXPECT_EQ(error("0 2 5\n3 2 1\n", options),
            "2: field 1: index 3 is beyond the extent 3 of mode 1 (from shape, 0-based indices)");
  EXPECT_THAT(error("1 1 1 5\n", options), HasSubstr("the shape from shape has 2 modes, but the entries have 3"));
  EXPECT_EQ(error("9 9\n1 10 5\n"),
            "2: field 2: index 10 is beyond the extent 9 of mode 2 (from line 1, 1-based indices)");
  EXPECT_EQ(shape(read("9 9\n1 2 5\n", options)), (Shape{3, 4}));
  EXPECT_THAT(remarks_, Contains("shape 3 x 4 (" + option_name("shape") + ", although the file says 9 x 9)"));
}

TEST_F(TnsRead, NoEntries) {
  for (const char* text : {"", "\n\n", "# nothing\n"}) {
    EXPECT_THAT(error(text), HasSubstr("holds no entries; for a tensor without nonzeros give its extents with shape"));
    ReadOptions options;
    options.shape = {3, 4};
    const Tensor x = read(text, options);
    EXPECT_EQ(x.sparse()->listed(), 0u);
    EXPECT_EQ(shape(x), (Shape{3, 4}));
  }
  EXPECT_EQ(shape(read("2\n3 4\n")), (Shape{3, 4}));
}

TEST_F(TnsRead, HugeShapesCostNothing) {
  ReadOptions options;
  options.shape = Shape(16, max_held_extent);
  const std::string cell = "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 4294967295 2\n";
  EXPECT_EQ(entries_of(read(cell, options)).begin()->first.back(), max_held_extent - 1);
  options.shape = Shape(16, max_extent);
  EXPECT_EQ(shape(read(cell, options)), *options.shape);
  options.shape->back() = max_extent + 1;
  EXPECT_THAT(error(cell, options), HasSubstr("mode 16 has extent 9223372036854775808"));
}

TEST_F(TnsRead, ErrorsNameLineAndField) {
  EXPECT_EQ(error("1 1 1\n1 1\n"), "2: 2 fields, expected 3 (2 indices and a value; as on line 1)");
  EXPECT_EQ(error("\n1 1 1\n1 1 1\n1 1 1 1\n"), "4: 4 fields, expected 3 (2 indices and a value; as on line 2)");
  EXPECT_EQ(error("# x\n1 1 1\n2 -1 1\n"), "3: field 2: '-1' is not an index: indices are not negative");
  EXPECT_THAT(error("day,crime type,count\n1,2,3\n"), HasSubstr("'polyad import'"));
  EXPECT_THAT(error("day,count\n1,2\n"), HasSubstr("'polyad import'"));
  EXPECT_EQ(error("1 1.5 1\n1 1 1\n"), "1: field 2: '1.5' is not an index: indices are whole numbers");
  EXPECT_EQ(error("1 1 1\n4294967296 1 1\n"),
            "2: field 1: index 4294967296 is too large: polyad holds indices up to 4294967295, whatever the shape");
  EXPECT_EQ(error("1 99999999999999999999999 1\n"),
            "1: field 2: '99999999999999999999999' is not an index: it is far too large");
  EXPECT_EQ(error("0 1 1\n4294967295 1 1\n"),
            "2: field 1: index 4294967295 is too large: 0-based indices go up to 4294967294");
  EXPECT_EQ(error("1 1 one\n1 1 1\n"), "1: field 3: 'one' is not a number");
  EXPECT_EQ(error("1 1 1\n1 2 1,5\n"), "2: field 3: '1,5' is not a number");
  EXPECT_EQ(error("1 1 1\n1 2 nan\n"),
            "2: field 3: the value is NaN, which only dense files may hold; leave missing cells out and say unlisted "
            "missing");
  EXPECT_EQ(error("1 1 1\n1 2 -inf\n"), "2: field 3: the value '-inf' is not finite");
  EXPECT_EQ(error("1 1 1\n1 2 1e999\n"), "2: field 3: the value '1e999' is not finite");
  EXPECT_EQ(error("1 1 1\n\x01\xff\xfe 1 1\n"), "2: field 1: '?\?\?' is not an index: indices are whole numbers");
  EXPECT_EQ(error("1,1,1\n1,1,2\n"),
            "1: '1,1,1' alone on the first line is neither an entry nor a number of modes from 1 to 16; if this is a "
            "table, use 'polyad import'");
  const std::string wide = "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n";
  EXPECT_EQ(error(wide + wide), "1: 18 fields: a tensor has at most 16 modes");
}

TEST_F(TnsRead, LineNumbersStayRightOverBlocks) {
  std::string text;
  for (int i = 0; i < 200000; ++i) text += i % 3 == 0 ? "# c\n" : "1 1 1\n";
  EXPECT_EQ(error(text + "1 x 1\n"), "200001: field 2: 'x' is not an index: indices are whole numbers");
  EXPECT_EQ(read(text).sparse()->listed(), 1u);
  ReadOptions options;
  options.base = 1;
  EXPECT_THAT(error(text + "1 0 1\n" + text, options), HasSubstr("200001: field 2: index 0 with base 1"));
}

TEST_F(TnsRead, RefusesWhatIsNotText) {
  EXPECT_EQ(error(std::string("1 1 1\n\0\0\n", 9)),
            "2: a zero byte: this is neither a text file nor another format that polyad reads");
  EXPECT_THAT(error(std::string(80 << 20, '1')), HasSubstr("a line of over 64 MiB"));
  EXPECT_THAT(error("PK\x03\x04zip"), HasSubstr("is a damaged zip archive"));
}

TEST_F(TnsRead, FilesThatCannotBeOpened) {
  EXPECT_EQ(error_of([&] { read_tensor(path("none.tns")); }, ErrorKind::file),
            fmt::format("cannot read '{}': No such file or directory", path("none.tns")));
  EXPECT_EQ(error_of([&] { read_tensor(folder_.string()); }, ErrorKind::file),
            fmt::format("cannot read '{}': it is a folder, not a file", folder_.string()));
}

class CellsFile : public TnsRead {};

TEST_F(CellsFile, ValuesAreOptional) {
  const IndexSpace space({4, 5});
  EXPECT_EQ(entries_of(read_cells(write("c", "1 2\n4 5\n"), space, {})), (Entries{{{0, 1}, 1}, {{3, 4}, 1}}));
  EXPECT_EQ(entries_of(read_cells(write("c", "1 2 0.5\n4 5 2\n"), space, {})), (Entries{{{0, 1}, 0.5}, {{3, 4}, 2}}));
  EXPECT_EQ(entries_of(read_cells(write("c", "4 5\n1 2 0.5\n"), space, {})), (Entries{{{0, 1}, 0.5}})) << "a header";
  EXPECT_EQ(entries_of(read_cells(write("c", "2\n4 5\n1 2 0.5\n"), space, {})), (Entries{{{0, 1}, 0.5}}));
  EXPECT_EQ(entries_of(read_cells(write("c", "3\n4\n"), IndexSpace({4}), {})), (Entries{{{2}, 1}, {{3}, 1}}));
  EXPECT_EQ(entries_of(read_cells(write("c", "1 2\n"), space, {.base = 0})), (Entries{{{1, 2}, 1}}));
  EXPECT_EQ(read_cells(write("c", "# none\n"), space, {}).size(), 0u);
  Remarks remarks;
  read_cells(write("c", "0 2\n"), space, {}, &remarks);
  EXPECT_THAT(remarks, ElementsAre("0-based indices (index 0 on line 1)"));
}

TEST_F(CellsFile, Errors) {
  const IndexSpace space({4, 5});
  const auto message = [&](const std::string& text, std::optional<int> base = {}) {
    return error_of([&] { read_cells(write("c", text), space, {.base = base}); }, ErrorKind::data);
  };
  EXPECT_THAT(message("1 6\n"), HasSubstr("c:1: field 2: index 6 is beyond the extent 5 of mode 2 (from the tensor"));
  EXPECT_THAT(message("1 1 1 1\n"),
              HasSubstr("c:1: 4 fields, expected 3 (2 indices and a value; the tensor has 2 modes)"));
  EXPECT_THAT(message("1 1\n1 1 1\n1 1\n"), HasSubstr("the shape on line 1 is 1 x 1"));
  EXPECT_THAT(message("1 0\n", 1), HasSubstr("c:1: field 2: index 0 with base 1"));
  EXPECT_THAT(message("3 5\n1 1 1\n"), HasSubstr("the shape on line 1 is 3 x 5, but the tensor's is 4 x 5"));
  EXPECT_THAT(message("\x93NUMPY"), HasSubstr("is a NumPy array; a list of cells is text"));
}

class LabelsFile : public TempFolder {};

TEST_F(LabelsFile, OneALine) {
  EXPECT_THAT(read_labels(write("l", "Mo\nTu\r\n  We \nKöln\n")), ElementsAre("Mo", "Tu", "  We ", "Köln"));
  EXPECT_THAT(read_labels(write("l", "a\n\nb")), ElementsAre("a", "", "b"));
  EXPECT_THAT(read_labels(write("l", "a\nb\n\n")), ElementsAre("a", "b"));
  EXPECT_THAT(read_labels(write("l",
                                "\xef\xbb\xbf"
                                "a\n# b\n")),
              ElementsAre("a", "# b"));
}

TEST_F(LabelsFile, Errors) {
  EXPECT_THAT(error_of([&] { read_labels(write("l", "a\nK\xf6ln\n")); }, ErrorKind::data),
              HasSubstr("l:2: the label 'K?ln' is not valid UTF-8"));
  for (const char* bad : {"\xc0\x80", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xe2\x82", "\x80", "\xf0\x80\x80\x80"}) {
    EXPECT_THAT(error_of([&] { read_labels(write("l", bad)); }, ErrorKind::data), HasSubstr("not valid UTF-8"));
  }
  EXPECT_THAT(error_of([&] { read_labels(write("l", "")); }, ErrorKind::data), HasSubstr("holds no labels"));
  EXPECT_THAT(error_of([&] { read_labels(path("none")); }, ErrorKind::file), HasSubstr("No such file"));
}

}  // namespace
}  // namespace polyad
