#include <polyad/fields.hpp>
#include <polyad/loss.hpp>
#include <polyad/sample/sampler.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sample/errors.hpp>
#include <sample/tensor_cases.hpp>
#include <set>

namespace polyad::test {
namespace {

using ::testing::HasSubstr;

const Loss poisson = parse_loss("poisson");
const Loss logit = parse_loss("bernoulli-logit");

std::unique_ptr<Sampler> make(const Tensor& tensor, SampleOptions options, const Loss& loss = poisson) {
  return make_sampler(tensor, loss.info(), resolve(options, tensor, loss.info()));
}

SampleOptions ask(SamplerKind kind, std::optional<std::uint64_t> samples = {},
                  std::optional<std::uint64_t> nonzero_samples = {}) {
  SampleOptions options;
  options.sampler = kind;
  options.samples = samples;
  options.nonzero_samples = nonzero_samples;
  return options;
}

bool same(const Batch& a, const Batch& b) {
  return a.index == b.index && a.x == b.x && a.w == b.w && a.w0 == b.w0 && a.all_cells == b.all_cells;
}

const std::vector<std::uint64_t> shape = {30, 20, 10};

Tensor small_sparse() {
  return sparse_of(shape, {{{0, 0, 0}, 1, 1}, {{3, 4, 5}, 2, 1}, {{29, 19, 9}, 3, 1}}, false);
}

/// Other code asks for samplers by these names, which stand for positions in the list.
TEST(Samplers, NamesAreThoseOfTheList) {
  const std::vector<std::pair<SamplerKind, std::string_view>> named = {
      {SamplerKind::uniform, "uniform"},
      {SamplerKind::stratified, "stratified"},
      {SamplerKind::semi_stratified, "semi-stratified"},
      {SamplerKind::exact_zeros, "exact-zeros"},
      {SamplerKind::importance, "importance"},
      {SamplerKind::strata, "strata"},
      {SamplerKind::exhaustive, "exhaustive"}};
  for (const auto& [kind, word] : named) EXPECT_EQ(word_of(kind), word);
}

TEST(Sampler, SameDrawSameBatchOtherDrawOtherBatch) {
  std::vector<TensorCase> cases = dense_cases();
  for (TensorCase& c : sparse_cases()) cases.push_back(std::move(c));
  for (const TensorCase& c : cases) {
    for (const SamplerKind kind : {SamplerKind::uniform, SamplerKind::stratified, SamplerKind::semi_stratified}) {
      if (!c.tensor.is_sparse() && kind != SamplerKind::uniform) continue;
      const auto sampler = make(c.tensor, ask(kind, 40));
      const RandomStream gradient_stream(1, Purpose::gradient);
      Batch first, again, other, other_stream;
      sampler->draw(gradient_stream, 5, first);
      sampler->draw(gradient_stream, 6, other);
      sampler->draw(RandomStream(1, Purpose::gradient, 1), 5, other_stream);
      again = other;  // a batch in use is overwritten completely
      again.all_cells = 3;
      again.w0.assign(40, 1.0);
      make(c.tensor, ask(kind, 40))->draw(gradient_stream, 5, again);
      EXPECT_TRUE(same(first, again)) << c.name;
      if (c.tensor.observed() > 2) {
        EXPECT_FALSE(same(first, other)) << c.name;
        EXPECT_FALSE(same(first, other_stream)) << c.name;
      }
    }
  }
}

TEST(Sampler, AutoChoosesByTensorAndLoss) {
  const auto chosen = [](const Tensor& tensor, const Loss& loss) { return *resolve({}, tensor, loss.info()).sampler; };
  EXPECT_EQ(chosen(dense_cases()[0].tensor, poisson), SamplerKind::uniform);
  EXPECT_EQ(chosen(small_sparse(), poisson), SamplerKind::exact_zeros);
  EXPECT_EQ(chosen(small_sparse(), logit), SamplerKind::importance);
  Tensor masked = small_sparse();
  masked.sparse()->set_missing(cells_of({{1, 1, 1}}));
  EXPECT_EQ(chosen(masked, poisson), SamplerKind::exact_zeros);
  EXPECT_EQ(chosen(masked, logit), SamplerKind::importance);
  EXPECT_EQ(chosen(sparse_of(shape, {{{1, 1, 1}, 1, 1}}, false, Unlisted::missing), poisson), SamplerKind::uniform);
  SampleOptions with_strata;
  with_strata.strata = {"nonzeros", "zeros"};
  EXPECT_EQ(*resolve(with_strata, small_sparse(), poisson.info()).sampler, SamplerKind::strata);
}

TEST(Sampler, AutoNumbers) {
  SampleOptions r = resolve(ask(SamplerKind::stratified), small_sparse(), poisson.info());
  EXPECT_EQ(r.samples, 1000u);
  EXPECT_EQ(r.nonzero_samples, 500u);
  EXPECT_EQ(r.estimate_samples, 200'000u);
  r = resolve(ask(SamplerKind::stratified, 7), small_sparse(), poisson.info());
  EXPECT_EQ(r.nonzero_samples, 3u);
  r = resolve(ask(SamplerKind::exact_zeros, 7), small_sparse(), poisson.info());
  EXPECT_EQ(r.nonzero_samples, 7u);
  r = resolve({}, dense_cases()[0].tensor, poisson.info());
  EXPECT_EQ(r.samples, 600u);
  EXPECT_EQ(r.estimate_samples, 100'000u);
  EXPECT_FALSE(r.nonzero_samples);
  // The sum of the extents, but no more than an eighth of the nonzeros.
  const auto nonzeros = [](std::vector<std::uint64_t> extents, Index count) {
    Records records(3);
    const auto rows = static_cast<Index>(extents[0]);
    for (Index i = 0; i < count; ++i) {
      records.append(std::array<Index, 3>{i % rows, i / rows % 40, i / rows / 40}.data(), 1.0);
    }
    return Tensor(SparseTensor(IndexSpace(std::move(extents)), std::move(records)));
  };
  EXPECT_EQ(resolve({}, nonzeros({5000, 40, 30}, 60'000), poisson.info()).samples, 5070u);
  EXPECT_EQ(resolve({}, nonzeros({50'000, 40, 30}, 16'000), poisson.info()).samples, 2000u);
  EXPECT_EQ(resolve({}, nonzeros({50'000, 40, 30}, 1), poisson.info()).samples, 1000u);
  EXPECT_EQ(resolve({}, nonzeros({5'000'000, 40, 30}, 900'000), poisson.info()).samples, 100'000u);
  // Resolving what is resolved changes nothing.
  for (const SamplerKind kind : {SamplerKind::uniform, SamplerKind::stratified, SamplerKind::exhaustive}) {
    const SampleOptions once = resolve(ask(kind), small_sparse(), poisson.info());
    const SampleOptions twice = resolve(once, small_sparse(), poisson.info());
    EXPECT_EQ(once.samples, twice.samples);
    EXPECT_EQ(once.nonzero_samples, twice.nonzero_samples);
  }
}

TEST(Sampler, SaysWhatABatchHolds) {
  const Tensor tensor = small_sparse();
  EXPECT_EQ(make(tensor, ask(SamplerKind::stratified, 2000))->describe(),
            "1,000 of 3 nonzeros and 1,000 of 5,997 zeros");
  EXPECT_EQ(make(tensor, ask(SamplerKind::semi_stratified, 10))->describe(),
            "5 of 3 nonzeros and 5 of 6,000 cells taken as zeros");
  EXPECT_EQ(make(tensor, ask(SamplerKind::exact_zeros, 10))->describe(),
            "10 of 3 nonzeros and all 5,997 zeros exactly");
  EXPECT_EQ(make(tensor, ask(SamplerKind::uniform, 10))->describe(), "10 of 6,000 cells");
  EXPECT_EQ(make(tensor, ask(SamplerKind::exhaustive))->describe(), "all 6,000 observed cells");
  const Tensor vast = sparse_of({1u << 30, 1u << 30, 1u << 30}, {{{1, 1, 1}, 1, 1}}, false);
  EXPECT_EQ(make(vast, ask(SamplerKind::stratified, 10))->describe(), "5 of 1 nonzeros and 5 of 1.24e+27 zeros");
  const Tensor listed = sparse_of(shape, {{{1, 1, 1}, 0, 1}}, false, Unlisted::missing);
  EXPECT_EQ(make(listed, ask(SamplerKind::stratified, 10))->describe(), "10 of 1 listed entries");
}

TEST(Sampler, SpacesBeyondTwoToTheSixtyFour) {
  // 2^90 cells.
  const std::uint64_t n = std::uint64_t{1} << 30;
  const Index last = static_cast<Index>(n - 1);
  const Tensor tensor = sparse_of({n, n, n}, {{{0, 0, 0}, 4, 1}, {{last, last, last}, 5, 1}}, false);
  Batch batch;
  for (const SamplerKind kind : {SamplerKind::stratified, SamplerKind::semi_stratified, SamplerKind::uniform}) {
    make(tensor, ask(kind, 1000))->draw(RandomStream(1, Purpose::gradient), 0, batch);
    ASSERT_EQ(batch.size(), 1000u);
    double total = 0;
    double high_half = 0;
    for (std::size_t t = 0; t < 1000; ++t) {
      total += batch.w[t] + (batch.w0.empty() ? 0 : batch.w0[t]);
      for (std::size_t k = 0; k < 3; ++k) {
        ASSERT_LT(batch.index[k][t], n);
        high_half += batch.index[k][t] >= n / 2 ? 1 : 0;
      }
    }
    EXPECT_NEAR(total / 0x1p90, 1.0, 1e-12);
    EXPECT_NEAR(high_half, 1500, 6 * std::sqrt(750.0) * std::sqrt(3.0));
  }
  EXPECT_THAT(message_of([&] { exhaustive_batch(tensor); }), HasSubstr("sampler exhaustive: 1.24e+27 cells"));
  SampleOptions options;
  options.estimate_samples = 100;
  const Batch estimate = estimate_batch(tensor, options);
  EXPECT_EQ(estimate.size(), 100u);
  EXPECT_EQ(estimate.w[0], 1.0);  // both nonzeros once, exactly
  EXPECT_EQ(estimate.x[1], 5.0);
  EXPECT_EQ(estimate.x[2], 0.0);
}

TEST(Sampler, WeightsFollowTheFormulas) {
  Tensor tensor = sparse_of(shape, {{{0, 0, 0}, 1, 2.0}, {{3, 4, 5}, 2, 0.5}}, true);
  tensor.sparse()->set_zero_weight(0.1);
  tensor.sparse()->set_missing(cells_of({{1, 1, 1}, {2, 2, 2}}));
  const double zeta = 6000 - 2 - 2;
  Batch batch;
  const RandomStream gradient_stream(1, Purpose::gradient);
  make(tensor, ask(SamplerKind::stratified, 10, 4))->draw(gradient_stream, 0, batch);
  EXPECT_TRUE(batch.w0.empty());
  for (std::size_t t = 0; t < 10; ++t) {
    EXPECT_DOUBLE_EQ(batch.w[t], t < 4 ? 2.0 / 4 * (batch.x[t] == 1 ? 2.0 : 0.5) : zeta / 6 * 0.1);
  }
  make(tensor, ask(SamplerKind::semi_stratified, 10, 4))->draw(gradient_stream, 0, batch);
  for (std::size_t t = 0; t < 10; ++t) {
    EXPECT_DOUBLE_EQ(batch.w[t], t < 4 ? 2.0 / 4 * (batch.x[t] == 1 ? 2.0 : 0.5) : (zeta + 2) / 6 * 0.1);
    EXPECT_DOUBLE_EQ(batch.w0[t], t < 4 ? -2.0 / 4 * 0.1 : 0.0);
  }
  tensor = sparse_of(shape, {{{0, 0, 0}, 1, 2.0}, {{3, 4, 5}, 2, 0.5}}, true);
  tensor.sparse()->set_zero_weight(0.1);
  make(tensor, ask(SamplerKind::exact_zeros, 10, 4))->draw(gradient_stream, 0, batch);
  EXPECT_EQ(batch.size(), 4u);
  EXPECT_EQ(batch.all_cells, 0.1);
  EXPECT_DOUBLE_EQ(batch.w0[3], -2.0 / 4 * 0.1);
}

TEST(Sampler, ExactZerosTakesMissingCellsBack) {
  Tensor tensor = sparse_of(shape, {{{0, 0, 0}, 1, 2.0}, {{3, 4, 5}, 2, 0.5}}, true);
  tensor.sparse()->set_zero_weight(0.1);
  tensor.sparse()->set_missing(cells_of({{1, 1, 1}, {2, 2, 2}, {5, 4, 3}}));
  Batch batch;
  const auto sampler = make(tensor, ask(SamplerKind::exact_zeros, 1000, 4));
  sampler->draw(RandomStream(1, Purpose::gradient), 0, batch);
  EXPECT_EQ(batch.all_cells, 0.1);
  ASSERT_GT(batch.size(), 4u);
  EXPECT_EQ(batch.zeros_from, batch.size());
  const double p = static_cast<double>(batch.size() - 4);
  for (std::size_t t = 4; t < batch.size(); ++t) {
    const std::array<Index, 3> cell = {batch.index[0][t], batch.index[1][t], batch.index[2][t]};
    EXPECT_TRUE(tensor.sparse()->is_missing(cell.data()));
    EXPECT_EQ(batch.x[t], 0);
    EXPECT_EQ(batch.w[t], 0);
    EXPECT_DOUBLE_EQ(batch.w0[t], -3 / p * 0.1);
  }
  EXPECT_THAT(sampler->describe(), HasSubstr("3 missing cells taken out by samples"));
}

TEST(Sampler, ExactZerosWithoutNonzerosIsTheClosedSumAlone) {
  const Tensor tensor = sparse_of(shape, {}, false);
  Batch batch;
  make(tensor, ask(SamplerKind::exact_zeros))->draw(RandomStream(1, Purpose::gradient), 0, batch);
  EXPECT_EQ(batch.size(), 0u);
  EXPECT_EQ(batch.all_cells, 1.0);
}

TEST(Sampler, RefusesWhatItCannotServe) {
  const Tensor sparse = small_sparse();
  const Tensor dense = dense_cases()[0].tensor;
  EXPECT_THAT(message_of([&] { make(dense, ask(SamplerKind::stratified)); }), HasSubstr("needs a sparse tensor"));
  EXPECT_THAT(message_of([&] { make(dense, ask(SamplerKind::exact_zeros)); }), HasSubstr("needs a sparse tensor"));
  EXPECT_THAT(message_of([&] { make(sparse, ask(SamplerKind::exact_zeros), logit); }),
              HasSubstr("loss bernoulli-logit has no closed form"));
  const Tensor listed = sparse_of(shape, {{{1, 1, 1}, 1, 1}}, false, Unlisted::missing);
  EXPECT_THAT(message_of([&] { make(listed, ask(SamplerKind::exact_zeros)); }),
              HasSubstr("unlisted cells are missing"));
  EXPECT_THAT(message_of([&] { make(sparse, ask(SamplerKind::stratified, 1)); }),
              HasSubstr("at least one sample each"));
  EXPECT_THAT(message_of([&] { make(sparse, ask(SamplerKind::stratified, 10, 0)); }),
              HasSubstr("nonzeros without any"));
  EXPECT_THAT(message_of([&] { make(sparse, ask(SamplerKind::semi_stratified, 10, 10)); }),
              HasSubstr("zeros without any"));
  EXPECT_THAT(message_of([&] { make(sparse, ask(SamplerKind::exact_zeros, 10, 0)); }), HasSubstr("at least 1"));
  EXPECT_THAT(message_of([&] { make(dense, ask(SamplerKind::uniform, 10, 5)); }),
              HasSubstr("nonzero-samples is not used by sampler uniform"));
  EXPECT_THAT(message_of([&] { make(dense, ask(SamplerKind::uniform, 1ull << 40)); }), HasSubstr("a batch can hold"));
  EXPECT_THAT(message_of([&] { make(sparse, ask(SamplerKind::exhaustive, 5)); }), HasSubstr("leave samples out"));
  EXPECT_THAT(message_of([&] { make_sampler(sparse, poisson.info(), {}); }), HasSubstr("resolved first"));
}

TEST(Sampler, EverythingMissingIsAClearError) {
  AlignedVector<double> nan(24, std::numeric_limits<double>::quiet_NaN());
  const Tensor dense = DenseTensor(IndexSpace({4, 3, 2}), nan);
  const Tensor listed = sparse_of(shape, {}, false, Unlisted::missing);
  Tensor masked = sparse_of({4, 3, 2}, {{{0, 0, 0}, 1, 1}}, false);
  masked.sparse()->set_missing(cells_of(all_cells(IndexSpace({4, 3, 2}))));
  for (const Tensor* tensor : {&dense, &listed, static_cast<const Tensor*>(&masked)}) {
    const std::string expected = "nothing is observed: every cell is missing";
    EXPECT_EQ(message_of([&] { resolve({}, *tensor, poisson.info()); }), expected);
    SampleOptions options = ask(SamplerKind::uniform, 5);
    EXPECT_EQ(message_of([&] { make_sampler(*tensor, poisson.info(), options); }), expected);
    EXPECT_EQ(message_of([&] { estimate_batch(*tensor, {}); }), expected);
    EXPECT_EQ(message_of([&] { exhaustive_batch(*tensor); }), expected);
  }
}

TEST(Estimate, IsExactWhereSamplesSuffice) {
  for (const TensorCase& c : sparse_cases()) {
    EXPECT_TRUE(same(estimate_batch(c.tensor, {}), exhaustive_batch(c.tensor))) << c.name;
    EXPECT_EQ(exhaustive_batch(c.tensor).size(), observed_cells(c.tensor).size()) << c.name;
  }
}

TEST(Estimate, DependsOnItsSeedAndNumberAlone) {
  const Tensor tensor = small_sparse();
  SampleOptions a;
  a.estimate_samples = 50;
  SampleOptions b = a;
  b.sampler = SamplerKind::uniform;
  b.samples = 17;
  EXPECT_TRUE(same(estimate_batch(tensor, a), estimate_batch(tensor, b)));
  b.estimate_seed = 2;
  EXPECT_FALSE(same(estimate_batch(tensor, a), estimate_batch(tensor, b)));
  // Three nonzeros are taken whole; the rest of the samples goes to zeros.
  const Batch batch = estimate_batch(tensor, a);
  EXPECT_EQ(batch.size(), 50u);
  EXPECT_EQ(std::count_if(batch.x.begin(), batch.x.end(), [](double x) { return x != 0; }), 3);
  EXPECT_DOUBLE_EQ(batch.w[3], 5997.0 / 47);
}

}  // namespace
}  // namespace polyad::test
