// Lists of cells without a value column must not be read with their last index as the value; lists with one must be read as
// they are. Both kinds are generated, each with several seeds.

#include "temp_folder.hpp"
#include "tensors.hpp"

#include <polyad/base/error.hpp>
#include <polyad/io/open.hpp>
#include <polyad/tensor/tensor.hpp>

#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <random>
#include <set>

namespace polyad {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;

using Random = std::mt19937_64;
using Lines = std::vector<std::vector<std::uint64_t>>;

std::uint64_t up_to(Random& random, std::uint64_t n) {
  return std::uniform_int_distribution<std::uint64_t>(1, n)(random);
}

/// 1 to n, the small ones far more often: 1/i.
std::uint64_t zipf(Random& random, std::uint64_t n) {
  const double u = std::uniform_real_distribution<double>(0, 1)(random);
  return std::min(n, static_cast<std::uint64_t>(std::pow(static_cast<double>(n) + 1, u)));
}

std::uint64_t poisson(Random& random, double mean) {
  return static_cast<std::uint64_t>(std::poisson_distribution<int>(mean)(random));
}

/// As many different lines as asked for, in any order.
Lines different(std::size_t count, const std::function<std::vector<std::uint64_t>()>& line) {
  std::set<std::vector<std::uint64_t>> seen;
  Lines lines;
  while (lines.size() < count) {
    auto next = line();
    if (seen.insert(next).second) lines.push_back(std::move(next));
  }
  return lines;
}

struct Kind {
  std::string name;
  std::function<Lines(Random&)> make;
};

void PrintTo(const Kind& kind, std::ostream* out) {
  *out << kind.name;
}

std::string text_of(const Lines& lines) {
  std::string text;
  for (const auto& line : lines) {
    for (std::size_t k = 0; k < line.size(); ++k) text += fmt::format("{}{}", k > 0 ? " " : "", line[k]);
    text += '\n';
  }
  return text;
}

class WithoutValues : public TempFolder, public ::testing::WithParamInterface<Kind> {};
class WithValues : public TempFolder, public ::testing::WithParamInterface<Kind> {};

TEST_P(WithoutValues, AreAskedAbout) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Random random(seed);
    const Lines lines = GetParam().make(random);
    const std::string file = write("x.tns", text_of(lines));
    EXPECT_THAT(error_of([&] { read_tensor(file); }, ErrorKind::data),
                AllOf(HasSubstr("x.tns"), HasSubstr("values ones"), HasSubstr("values last")))
        << "seed " << seed;
    Remarks remarks;
    const Tensor x = read_tensor(file, {.values = ValueColumn::ones}, &remarks);
    EXPECT_THAT(remarks, Contains("lines are cells of value 1"));
    EXPECT_EQ(x.space().modes(), lines[0].size());
    EXPECT_EQ(x.sparse()->listed(), lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) ASSERT_EQ(x.sparse()->records().value(i), 1);
    EXPECT_EQ(read_tensor(file, {.values = ValueColumn::last}).space().modes(), lines[0].size() - 1);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, WithoutValues,
    ::testing::Values(
        Kind{"a knowledge graph: head, relation, tail",
             [](Random& r) {
               return different(20000, [&] { return std::vector{zipf(r, 5000), zipf(r, 50), zipf(r, 5000)}; });
             }},
        Kind{"the same, tails evenly",
             [](Random& r) {
               return different(20000, [&] { return std::vector{zipf(r, 5000), zipf(r, 50), up_to(r, 5000)}; });
             }},
        Kind{"facts over time",
             [](Random& r) {
               return different(30000, [&] {
                 return std::vector{zipf(r, 2000), zipf(r, 30), zipf(r, 2000), up_to(r, 365)};
               });
             }},
        Kind{"a graph as a list of edges",
             [](Random& r) { return different(3000, [&] {
                               return std::vector{up_to(r, 400), up_to(r, 400)};
                             }); }},
        Kind{"a tenth of the cells of a small space",
             [](Random& r) {
               return different(6000, [&] { return std::vector{up_to(r, 50), up_to(r, 40), up_to(r, 30)}; });
             }},
        Kind{"a last mode of two",
             [](Random& r) {
               return different(2000, [&] { return std::vector{up_to(r, 60), up_to(r, 40), up_to(r, 2)}; });
             }},
        Kind{"from 0, 24 hours last",
             [](Random& r) {
               return different(5000, [&] {
                 return std::vector{up_to(r, 300) - 1, up_to(r, 20) - 1, up_to(r, 24) - 1};
               });
             }},
        Kind{"few lines", [](Random& r) {
               return different(150, [&] { return std::vector{up_to(r, 10), up_to(r, 3), up_to(r, 12)}; });
             }}));

TEST_P(WithValues, AreReadAsTheyAre) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    const std::string file = write("x.tns", text_of(GetParam().make(random)));
    const Tensor x = read_tensor(file);
    expect_same_tensor(x, read_tensor(file, {.values = ValueColumn::last}));
  }
}

/// Cells that are all different, each with a value.
Lines valued(Random& r, std::size_t count, const std::function<std::uint64_t()>& value) {
  Lines lines = different(count, [&] { return std::vector{up_to(r, 100), up_to(r, 50), up_to(r, 20)}; });
  for (auto& line : lines) line.push_back(value());
  return lines;
}

/// Cells that repeat: as many lines as asked for, of a third as many cells.
Lines repeated(Random& r, std::size_t count, const std::function<std::uint64_t()>& value) {
  const Lines cells = different(count / 3, [&] { return std::vector{up_to(r, 100), up_to(r, 50), up_to(r, 20)}; });
  Lines lines;
  for (std::size_t i = 0; i < count; ++i) {
    lines.push_back(cells[up_to(r, cells.size()) - 1]);
    lines.back().push_back(value());
  }
  return lines;
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, WithValues,
    ::testing::Values(
        Kind{"small counts", [](Random& r) { return valued(r, 3000, [&] { return 1 + poisson(r, 0.7); }); }},
        Kind{"large counts", [](Random& r) { return valued(r, 3000, [&] { return poisson(r, 200); }); }},
        Kind{"counts with a long tail", [](Random& r) { return valued(r, 3000, [&] { return zipf(r, 10000); }); }},
        Kind{"ratings", [](Random& r) { return valued(r, 3000, [&] { return up_to(r, 5); }); }},
        Kind{"scores to 100", [](Random& r) { return valued(r, 3000, [&] { return up_to(r, 101) - 1; }); }},
        Kind{"seconds since 1970",
             [](Random& r) { return valued(r, 3000, [&] { return 880000000 + up_to(r, 10000000); }); }},
        Kind{"events, a line each", [](Random& r) { return repeated(r, 3000, [] { return 1; }); }},
        Kind{"events, a few of two",
             [](Random& r) { return repeated(r, 3000, [&] { return 1 + up_to(r, 100) / 100; }); }},
        Kind{"small counts in parts", [](Random& r) { return repeated(r, 3000, [&] { return 1 + poisson(r, 0.7); }); }},
        Kind{"counts in parts", [](Random& r) { return repeated(r, 3000, [&] { return poisson(r, 30); }); }},
        Kind{"counts with a long tail in parts",
             [](Random& r) { return repeated(r, 3000, [&] { return zipf(r, 1000); }); }},
        Kind{"amounts in cents", [](Random& r) { return repeated(r, 3000, [&] { return 100 + zipf(r, 1000000); }); }},
        Kind{"few lines", [](Random& r) { return repeated(r, 30, [&] { return 1 + poisson(r, 2); }); }},
        Kind{"ratings given again", [](Random& r) { return repeated(r, 3000, [&] { return up_to(r, 5); }); }}));

class ValueColumnOption : public TempFolder {};

TEST_F(ValueColumnOption, AHeaderThatCountsTheModesDecides) {
  const std::string file = write("x.tns", "3\n4 5 6\n1 2 3\n4 5 6\n");
  EXPECT_THAT(error_of([&] { read_tensor(file); }, ErrorKind::data),
              AllOf(HasSubstr("x.tns:3: 3 fields, expected 4"), HasSubstr("if lines have no value, say values ones")));
  const Tensor x = read_tensor(file, {.values = ValueColumn::ones});
  EXPECT_EQ(x.space(), IndexSpace({4, 5, 6}));
  EXPECT_EQ(entries_of(x), (std::map<Cell, double>{{{0, 1, 2}, 1}, {{3, 4, 5}, 1}}));
}

TEST_F(ValueColumnOption, AShapeOfOneModeMoreAsks) {
  const std::string file = write("x.tns", "1 2 3\n4 5 6\n");
  const ReadOptions shape{.shape = std::vector<std::uint64_t>{4, 5, 6}};
  EXPECT_THAT(error_of([&] { read_tensor(file, shape); }, ErrorKind::data), HasSubstr("say values ones"));
}

TEST_F(ValueColumnOption, OnesAreSummedWhereCellsRepeat) {
  const std::string file = write("x.tns", "1 2\n1 2\n3 1\n");
  EXPECT_EQ(entries_of(read_tensor(file, {.values = ValueColumn::ones})),
            (std::map<Cell, double>{{{0, 1}, 2}, {{2, 0}, 1}}));
}

TEST_F(ValueColumnOption, AColumnThatIsSpreadLikeAnIndexIsRemarkedOn) {
  Random random(1);
  const Lines lines = different(3000, [&] {
    return std::vector{up_to(random, 5000), up_to(random, 5000), up_to(random, 200)};
  });
  Remarks remarks;
  (void)read_tensor(write("x.tns", text_of(lines)), {}, &remarks);
  EXPECT_THAT(remarks, Contains(HasSubstr("is spread like an index, evenly from 1 to 200")));
}

}  // namespace
}  // namespace polyad
