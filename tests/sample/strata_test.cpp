#include <polyad/base/rng.hpp>
#include <polyad/loss.hpp>
#include <polyad/loss/all.hpp>
#include <polyad/sample/draws/box.hpp>
#include <polyad/sample/draws_sampler.hpp>
#include <polyad/sample/sampler.hpp>
#include <polyad/sample/strata/strata.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <sample/errors.hpp>
#include <sample/tensor_cases.hpp>

namespace polyad::test {
namespace {

using ::testing::HasSubstr;

const IndexSpace space({10, 5, 4});

Tensor counts() {
  return sparse_of({10, 5, 4}, {{{0, 0, 0}, 1, 1}, {{2, 4, 3}, 2, 1}, {{9, 4, 3}, 7, 1}}, false);
}

std::unique_ptr<Sampler> make(const Tensor& tensor, std::vector<std::string> strata,
                              std::optional<std::uint64_t> samples = {}) {
  const Loss loss = parse_loss("poisson");
  SampleOptions options;
  options.strata = std::move(strata);
  options.samples = samples;
  return make_sampler(tensor, loss.info(), resolve(options, tensor, loss.info()));
}

std::string error_of(const std::vector<std::string>& strata, std::optional<std::uint64_t> samples = {}) {
  return message_of([&] { make(counts(), strata, samples); });
}

TEST(StratumSpec, ReadsEveryForm) {
  const StratumSpec spec = parse_stratum("nonzeros:values=2..5:box=3-7,*,4:samples=50", space);
  EXPECT_EQ(spec.of, StratumSpec::Of::nonzeros);
  EXPECT_EQ(spec.values.low, 2);
  EXPECT_EQ(spec.values.high, 5);
  EXPECT_EQ(spec.box.low, (std::vector<Index>{2, 0, 3}));
  EXPECT_EQ(spec.box.extent, (std::vector<std::uint64_t>{5, 5, 1}));
  EXPECT_EQ(spec.samples, 50u);
  EXPECT_FALSE(parse_stratum("zeros", space).samples);
  EXPECT_EQ(parse_stratum("zeros", space).box.cells(), 200);
}

TEST(StratumSpec, RangesPartitionCountsAndReals) {
  const auto range = [](const std::string& text) { return parse_stratum("cells:values=" + text, space).values; };
  for (const double x : {-3.5, -1.0, 0.0, 0.499, 0.5, 0.75, 1.0, 8.0}) {
    EXPECT_EQ(range("..<0.5").contains(x) + range("0.5..<1").contains(x) + range("1..").contains(x), 1) << x;
  }
  for (const double x : {0.0, 1.0, 2.0, 5.0, 6.0, 100.0}) {
    EXPECT_EQ(range("0").contains(x) + range("1..1").contains(x) + range("2..5").contains(x) + range("6..").contains(x),
              1)
        << x;
  }
  EXPECT_TRUE(range("-2.5..-1").contains(-2.5));
  EXPECT_TRUE(range("..").contains(1e300));
  EXPECT_FALSE(range("..").contains(std::nan("")));
  EXPECT_TRUE(range("1e-3...5").contains(0.5));
}

TEST(StratumSpec, ErrorsNameTheFault) {
  const auto error = [](const std::string& text) { return message_of([&] { parse_stratum(text, space); }); };
  EXPECT_THAT(error("nonzero"), HasSubstr("did you mean 'nonzeros'"));
  EXPECT_THAT(error("nonzeros:value=1"), HasSubstr("did you mean 'values'"));
  EXPECT_THAT(error("nonzeros:values=5..2"), HasSubstr("no value lies in '5..2'"));
  EXPECT_THAT(error("nonzeros:values=2..<2"), HasSubstr("no value lies in"));
  EXPECT_THAT(error("nonzeros:values=2..<"), HasSubstr("no upper end"));
  EXPECT_THAT(error("nonzeros:values=a..b"), HasSubstr("'a'"));
  EXPECT_THAT(error("nonzeros:values"), HasSubstr("values"));
  EXPECT_THAT(error("zeros:values=0"), HasSubstr("all zeros have the value 0"));
  EXPECT_THAT(error("zeros:box=1-2,*"), HasSubstr("has 2 items, but the tensor has 3 modes"));
  EXPECT_THAT(error("zeros:box=0-2,*,*"), HasSubstr("'0-2' is not a range within 1-10, the indices of mode 1"));
  EXPECT_THAT(error("zeros:box=*,*,3-5"), HasSubstr("within 1-4, the indices of mode 3"));
  EXPECT_THAT(error("zeros:box=*,3-2,*"), HasSubstr("'3-2' is not a range"));
  EXPECT_THAT(error("zeros:samples=0"), HasSubstr("at least 1 sample"));
  EXPECT_THAT(error("zeros:samples=-1"), HasSubstr("'-1'"));
  EXPECT_THAT(error("zeros:samples=1:samples=2"), HasSubstr("'samples' is written twice"));
}

TEST(Strata, MustPartitionTheNonzeros) {
  EXPECT_EQ(error_of({"nonzeros:values=1..2", "nonzeros:values=2..", "zeros"}),
            "stratum: the entry at (3, 5, 4) with value 2 lies in two strata, 'nonzeros:values=1..2' and "
            "'nonzeros:values=2..'");
  EXPECT_EQ(error_of({"nonzeros:values=..5", "zeros"}),
            "stratum: the entry at (10, 5, 4) with value 7 lies in no stratum; add one that holds it");
  EXPECT_THAT(error_of({"zeros"}), HasSubstr("the entry at (1, 1, 1) with value 1 lies in no stratum"));
}

TEST(Strata, BoxesOfZerosMustPartitionTheSpace) {
  EXPECT_EQ(error_of({"nonzeros", "zeros:box=1-6,*,*", "zeros:box=6-10,*,*"}),
            "stratum: 'zeros:box=1-6,*,*' and 'zeros:box=6-10,*,*' overlap; a cell may lie in one stratum only");
  EXPECT_EQ(error_of({"nonzeros", "zeros:box=1-6,*,*", "zeros:box=7-10,1-4,*", "zeros:box=7-10,5,1-3"}),
            "stratum: 4 cells, such as (7, 5, 4), lie in no stratum of zeros; add boxes that hold them");
  EXPECT_THAT(error_of({"nonzeros"}), HasSubstr("200 cells, such as (1, 1, 1)"));
}

TEST(Strata, BelongToTheirKindOfTensor) {
  EXPECT_THAT(error_of({"cells"}), HasSubstr("the tensor is sparse; its strata begin with nonzeros or zeros"));
  EXPECT_THAT(message_of([&] { make(dense_cases()[0].tensor, {"nonzeros"}); }),
              HasSubstr("its strata begin with cells"));
  EXPECT_THAT(message_of([&] { make(dense_cases()[0].tensor, {"cells:values=2.."}); }), HasSubstr("with value 1"));
}

TEST(Strata, SamplesAreStatedOrShared) {
  EXPECT_EQ(make(counts(), {"nonzeros:values=1", "nonzeros:values=2..:samples=7", "zeros"}, 20)->describe(),
            "1 of 1 in 'nonzeros:values=1', 7 of 2 in 'nonzeros:values=2..:samples=7', 12 of 197 in 'zeros'");
  EXPECT_EQ(make(counts(), {"nonzeros:samples=7", "zeros:samples=5"})->describe(),
            "7 of 3 in 'nonzeros:samples=7', 5 of 197 in 'zeros:samples=5'");
  EXPECT_THAT(error_of({"nonzeros:samples=7", "zeros:samples=5"}, 20),
              HasSubstr("20 asked for, but the strata state 12"));
  EXPECT_THAT(error_of({"nonzeros:samples=7", "zeros"}, 7), HasSubstr("give at least 8"));
}

TEST(Strata, EmptyOnesAreSkippedAndSaid) {
  EXPECT_EQ(make(counts(), {"nonzeros:values=..100", "nonzeros:values=101..", "zeros"}, 20)->describe(),
            "1 of 3 in 'nonzeros:values=..100', 19 of 197 in 'zeros'; skipped as empty: 'nonzeros:values=101..'");
  Batch batch;
  make(counts(), {"nonzeros:values=..100", "nonzeros:values=101..", "zeros"}, 20)
      ->draw(RandomStream(1, Purpose::gradient), 0, batch);
  EXPECT_EQ(batch.size(), 20u);
  // Where unlisted cells are missing there are no zeros, whether a stratum for them is written or not.
  const Tensor listed = sparse_of({10, 5, 4}, {{{0, 0, 0}, 0, 1}, {{2, 4, 3}, 2, 1}}, false, Unlisted::missing);
  EXPECT_EQ(make(listed, {"nonzeros"}, 4)->describe(), "4 of 2 in 'nonzeros'");
  EXPECT_EQ(make(listed, {"nonzeros", "zeros"}, 4)->describe(), "4 of 2 in 'nonzeros'; skipped as empty: 'zeros'");
}

TEST(Strata, NeedToBeGiven) {
  const Loss loss = parse_loss("poisson");
  SampleOptions options;
  options.sampler = SamplerKind::strata;
  EXPECT_THAT(message_of([&] { resolve(options, counts(), loss.info()); }), HasSubstr("no stratum is given"));
  options.sampler = SamplerKind::uniform;
  options.strata = {"nonzeros"};
  EXPECT_THAT(message_of([&] { resolve(options, counts(), loss.info()); }),
              HasSubstr("stratum is not used by sampler uniform, only by sampler strata"));
}

TEST(Strata, WorkInVastSpaces) {
  const std::uint64_t n = std::uint64_t{1} << 30;
  const Tensor vast = sparse_of({n, n, n}, {{{5, 6, 7}, 1, 1}}, false);
  const auto sampler = make(vast, {"nonzeros", "zeros:box=1-10,*,*:samples=4", "zeros:box=11-1073741824,*,*"}, 10);
  Batch batch;
  sampler->draw(RandomStream(1, Purpose::gradient), 0, batch);
  EXPECT_EQ(batch.x[0], 1.0);
  for (std::size_t t = 1; t < 5; ++t) EXPECT_LT(batch.index[0][t], 10u);
  for (std::size_t t = 5; t < 10; ++t) EXPECT_GE(batch.index[0][t], 10u);
  // Volumes are exact: one cell of 2^90 left out is found, and named.
  EXPECT_THAT(message_of([&] {
                make(vast, {"nonzeros", "zeros:box=1-1073741823,*,*", "zeros:box=1073741824,1-1073741823,*",
                            "zeros:box=1073741824,1073741824,2-1073741824"});
              }),
              HasSubstr("1 cells, such as (1073741824, 1073741824, 1)"));
  EXPECT_THAT(message_of([&] { make(vast, {"nonzeros"}); }), HasSubstr("1,237,940,039,285,380,274,899,124,224 cells"));
}

TEST(BoxCover, AgreesWithEnumeration) {
  Generator random(RandomStream(8, Purpose::problem));
  const IndexSpace small({4, 3, 5});
  int gaps = 0;
  int overlaps = 0;
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<Box> boxes;
    for (std::uint64_t b = random() % 4; b-- > 0;) {
      Box box = Box::whole(small);
      for (std::size_t k = 0; k < 3; ++k) {
        if (random() % 3 == 0) continue;
        box.low[k] = static_cast<Index>(random() % small.extent(k));
        box.extent[k] = 1 + random() % (small.extent(k) - box.low[k]);
      }
      boxes.push_back(box);
    }
    std::size_t uncovered = 0;
    bool twice = false;
    for (const auto& cell : all_cells(small)) {
      const auto holders =
          std::count_if(boxes.begin(), boxes.end(), [&](const Box& box) { return box.contains(cell.data()); });
      uncovered += holders == 0 ? 1 : 0;
      twice = twice || holders > 1;
    }
    ASSERT_EQ(find_overlap(boxes).has_value(), twice);
    overlaps += twice ? 1 : 0;
    if (twice) continue;
    const auto gap = find_gap(small, boxes);
    ASSERT_EQ(gap.has_value(), uncovered > 0);
    if (!gap) continue;
    ++gaps;
    EXPECT_EQ(gap->cells, std::to_string(uncovered));
    EXPECT_TRUE(small.contains(gap->example));
    for (const Box& box : boxes) EXPECT_FALSE(box.contains(gap->example.data()));
  }
  EXPECT_GT(gaps, 50);
  EXPECT_GT(overlaps, 50);
}

TEST(DivideSamples, LargestRemainderAtLeastOne) {
  const auto divide = [](std::uint64_t total, std::vector<double> sizes) { return divide_samples(total, sizes); };
  EXPECT_EQ(divide(10, {1, 1}), (std::vector<std::uint64_t>{5, 5}));
  EXPECT_EQ(divide(10, {6, 3, 2}), (std::vector<std::uint64_t>{5, 3, 2}));  // quotas 5.45, 2.73, 1.82
  EXPECT_EQ(divide(10, {1, 1e27, 1}), (std::vector<std::uint64_t>{1, 8, 1}));
  EXPECT_EQ(divide(3, {1, 5, 100}), (std::vector<std::uint64_t>{1, 1, 1}));
  EXPECT_EQ(divide(1, {0.1}), (std::vector<std::uint64_t>{1}));
  Generator random(RandomStream(9, Purpose::problem));
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<double> sizes(1 + random() % 9);
    for (double& size : sizes) size = std::pow(10, 12 * random.unit());
    const std::uint64_t total = sizes.size() + random() % 1000;
    const auto shares = divide(total, sizes);
    EXPECT_EQ(std::accumulate(shares.begin(), shares.end(), std::uint64_t{0}), total);
    for (std::size_t a = 0; a < sizes.size(); ++a) {
      EXPECT_GE(shares[a], 1u);
      for (std::size_t b = 0; b < sizes.size(); ++b) {
        EXPECT_TRUE(sizes[a] <= sizes[b] || shares[a] >= shares[b]);
      }
    }
  }
}

}  // namespace
}  // namespace polyad::test
