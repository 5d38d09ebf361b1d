#include <polyad/base/error.hpp>
#include <polyad/cells.hpp>
#include <tensor/helpers.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace polyad {
namespace {

using testing::HasSubstr;

TEST(IndexSpace, CountsCellsExactlyWhereTheyFit) {
  const IndexSpace space({6186, 24, 77, 32});
  EXPECT_EQ(space.modes(), 4u);
  EXPECT_EQ(space.sum_of_extents(), 6319u);
  EXPECT_EQ(space.exact_cells(), 365815296u);
  EXPECT_EQ(space.cells(), 6186.0 * 24 * 77 * 32);
  EXPECT_NEAR(space.log2_cells(), std::log2(6186.0 * 24 * 77 * 32), 1e-12);
  EXPECT_EQ(space.to_string(), "6186 x 24 x 77 x 32");
}

TEST(IndexSpace, ExactCountEndsAtTwoToThe64) {
  const std::uint64_t two31 = 1ull << 31;
  EXPECT_EQ(IndexSpace({two31, two31, 2}).exact_cells(), 1ull << 63);
  EXPECT_FALSE(IndexSpace({two31, two31, 4}).exact_cells());
  // Once lost, the exact count does not come back with smaller modes.
  EXPECT_FALSE(IndexSpace({two31, two31, 4, 1, 1}).exact_cells());
  EXPECT_EQ(IndexSpace({max_held_extent, max_held_extent}).exact_cells(), max_held_extent * max_held_extent);
  EXPECT_FALSE(IndexSpace({max_held_extent, max_held_extent, 2}).exact_cells());
}

TEST(IndexSpace, GoesFarBeyond64Bits) {
  const IndexSpace space(std::vector<std::uint64_t>(6, 32768));
  EXPECT_FALSE(space.exact_cells());
  EXPECT_EQ(space.cells(), 0x1p90);
  EXPECT_EQ(space.log2_cells(), 90);
  const IndexSpace largest(std::vector<std::uint64_t>(max_modes, max_extent));
  EXPECT_TRUE(std::isfinite(largest.cells()));
  EXPECT_NEAR(largest.log2_cells(), 16 * 63, 1e-6);
  EXPECT_EQ(largest.sum_of_extents(), ~std::uint64_t{0});
}

TEST(IndexSpace, ContainsLooksAtEveryMode) {
  const IndexSpace space({3, 1, 4});
  EXPECT_TRUE(space.contains(std::vector<Index>{2, 0, 3}));
  EXPECT_FALSE(space.contains(std::vector<Index>{3, 0, 3}));
  EXPECT_FALSE(space.contains(std::vector<Index>{2, 1, 3}));
  EXPECT_FALSE(space.contains(std::vector<Index>{2, 0, 4}));
  EXPECT_FALSE(space.contains(std::vector<Index>{2, 0}));
  EXPECT_FALSE(space.contains(std::vector<Index>{2, 0, 3, 0}));
}

TEST(IndexSpace, RefusesBrokenShapes) {
  for (const auto& [extents, part] : std::vector<std::pair<std::vector<std::uint64_t>, const char*>>{
           {{}, "this shape has 0"},
           {std::vector<std::uint64_t>(17, 2), "this shape has 17"},
           {{3, 0, 4}, "mode 2 has extent 0"},
           {{3, 4, max_extent + 1},
            "mode 3 has extent 9223372036854775808: it must be from 1 to 9223372036854775807"}}) {
    const Error error = error_of([&] { IndexSpace{extents}; });
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_THAT(error.what(), HasSubstr(part));
  }
}

TEST(ParseShape, ReadsTheUsualSpellings) {
  const IndexSpace expected({200, 150, 100});
  for (const char* text : {"200x150x100", "200X150X100", "200,150,100", "200 150 100", "200 x 150 x 100",
                           "200, 150, 100", "  200x150  100 "}) {
    EXPECT_EQ(parse_shape(text), expected) << text;
  }
  EXPECT_EQ(parse_shape("7"), IndexSpace({7}));
  EXPECT_EQ(parse_shape(expected.to_string()), expected);
}

TEST(ParseShape, SaysWhatIsWrong) {
  for (const auto& [text, part] :
       std::vector<std::pair<const char*, const char*>>{{"", "it is empty"},
                                                        {"  ", "it is empty"},
                                                        {"200xx100", "expected a whole number for mode 2"},
                                                        {"200x", "expected a whole number for mode 2"},
                                                        {"x200", "expected a whole number for mode 1"},
                                                        {"200x-5", "expected a whole number for mode 2"},
                                                        {"200x1.5", "'.' does not separate extents"},
                                                        {"200;150", "';' does not separate extents"},
                                                        {"200x0", "mode 2 has extent 0"},
                                                        {"200x99999999999999999999999", "mode 2 is far too large"},
                                                        {"1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", "this shape has 17"}}) {
    const Error error = error_of([&] { parse_shape(text); });
    EXPECT_EQ(error.kind(), ErrorKind::usage) << text;
    EXPECT_THAT(error.what(), HasSubstr(part));
  }
}

TEST(CellText, CountsFromOne) {
  EXPECT_EQ(cell_text(std::vector<Index>{2, 0, 0xffffffffu}), "(3, 1, 4294967296)");
}

}  // namespace
}  // namespace polyad
