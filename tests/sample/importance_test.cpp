// The sampler that follows the model: what it refuses, what bounds its weights, when it follows and what that gains.

#include <polyad/loss.hpp>
#include <polyad/model/guess.hpp>
#include <polyad/sample/importance/cell_sums.hpp>
#include <polyad/sample/sampler.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sample/errors.hpp>
#include <sample/tensor_cases.hpp>

namespace polyad::test {
namespace {

using ::testing::HasSubstr;

SampleOptions importance(std::uint64_t samples = 200) {
  SampleOptions options;
  options.sampler = SamplerKind::importance;
  options.samples = samples;
  return options;
}

std::unique_ptr<Sampler> made(const Tensor& tensor, const Loss& loss, const SampleOptions& options) {
  return make_sampler(tensor, loss.info(), resolve(options, tensor, loss.info()));
}

// Counts in one corner, and few elsewhere.
Tensor corner() {
  Generator random(RandomStream(4, Purpose::problem));
  std::vector<Cell> entries;
  for (const auto& index : all_cells(IndexSpace({40, 30, 20}))) {
    const bool inside = index[0] < 8 && index[1] < 6 && index[2] < 4;
    if (random.unit() < (inside ? 0.7 : 0.01)) entries.push_back({index, 1, 1});
  }
  return sparse_of({40, 30, 20}, entries, false);
}

// What fits it: large where the corner is, small elsewhere.
Factors corner_model(double small) {
  Factors factors({40, 30, 20}, 2);
  const std::vector<std::size_t> inside = {8, 6, 4};
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < factors.rows(k); ++i) {
      factors.at(k, i, 0) = i < inside[k] ? 1.3 : small;
      factors.at(k, i, 1) = 0.2;
    }
  }
  return factors;
}

// The second moment of the gradient: the sum of the squared norms of the samples' gradients, on average.
double second_moment(const Sampler& sampler, const Factors& model, const Loss& loss) {
  const CellSums sums = cell_sums(model.modes(), model.stride());
  double sum = 0;
  Batch batch;
  for (std::uint64_t draw = 0; draw < 200; ++draw) {
    sampler.draw(RandomStream(2, Purpose::gradient), draw, batch);
    std::vector<double> m(batch.size());
    std::vector<double> squares(batch.size());
    sums.sizes(CellRows(model, batch), 0, batch.size(), m.data(), squares.data());
    for (std::size_t t = 0; t < batch.size(); ++t) {
      double y = batch.w[t] * loss.derivative(batch.x[t], m[t]);
      if (!batch.w0.empty()) y += batch.w0[t] * loss.derivative(0, m[t]);
      sum += y * y * squares[t];
    }
  }
  return sum / 200;
}

TEST(Importance, LowersTheSecondMomentWhereTheModelIsUneven) {
  const Tensor tensor = corner();
  const Factors model = corner_model(0.02);
  for (const auto& [name, factor] : {std::pair("bernoulli-odds", 3), std::pair("poisson", 2)}) {
    const Loss loss = parse_loss(name);
    const auto sampler = made(tensor, loss, importance());
    const double before = second_moment(*sampler, model, loss);
    const double after = second_moment(*sampler->refreshed(model, loss, 0, 1), model, loss);
    EXPECT_LT(after, before / factor) << name << ": " << sampler->describe();
  }
}

TEST(Importance, StaysUniformWhereThatGainsNothing) {
  const Tensor tensor = corner();
  const Loss loss = parse_loss("bernoulli-odds");
  Factors flat({40, 30, 20}, 2);
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < flat.rows(k); ++i) flat.at(k, i, 0) = flat.at(k, i, 1) = 0.5;
  }
  const auto sampler = made(tensor, loss, importance());
  const auto adaptive = sampler->refreshed(flat, loss, 0, 1);
  SampleOptions always = importance();
  always.importance.adaptive = false;
  const auto following = made(tensor, loss, always)->refreshed(flat, loss, 0, 1);
  Batch uniform, chosen, followed;
  sampler->draw(RandomStream(1, Purpose::gradient), 3, uniform);
  adaptive->draw(RandomStream(1, Purpose::gradient), 3, chosen);
  following->draw(RandomStream(1, Purpose::gradient), 3, followed);
  EXPECT_EQ(chosen.index, uniform.index);
  EXPECT_EQ(chosen.w, uniform.w);
  EXPECT_NE(followed.index, uniform.index);
}

TEST(Importance, WeightsAreBoundedByTheUniformShare) {
  const Tensor tensor = corner();
  const Loss loss = parse_loss("bernoulli-odds");
  for (const double share : {0.1, 0.5, 1.0}) {
    SampleOptions options = importance();
    options.importance.uniform_share = share;
    options.importance.adaptive = false;
    const auto sampler = made(tensor, loss, options);
    const auto refreshed = sampler->refreshed(corner_model(1e-9), loss, 0, 1);
    Batch uniform, batch;
    sampler->draw(RandomStream(1, Purpose::gradient), 0, uniform);
    double largest = 0;
    for (std::uint64_t draw = 0; draw < 100; ++draw) {
      refreshed->draw(RandomStream(1, Purpose::gradient), draw, batch);
      for (std::size_t t = 100; t < batch.size(); ++t) largest = std::max(largest, batch.w[t]);
    }
    // Cells of the box over those that are zeros, too.
    EXPECT_LE(largest, 1.1 * uniform.w.back() / share);
    EXPECT_GT(largest, 0.9 * uniform.w.back());
  }
}

TEST(Importance, RefreshingDoesNotDependOnThreads) {
  const Tensor tensor = corner();
  const Loss loss = parse_loss("poisson");
  for (const ImportanceZeros zeros : {ImportanceZeros::drawn, ImportanceZeros::exact}) {
    SampleOptions options = importance();
    options.parts = 4;
    options.importance.zeros = zeros;
    const auto sampler = made(tensor, loss, options);
    const auto one = sampler->refreshed(corner_model(0.05), loss, 0, 1)->refreshed(corner_model(0.1), loss, 100, 1);
    const auto many = sampler->refreshed(corner_model(0.05), loss, 0, 5)->refreshed(corner_model(0.1), loss, 100, 3);
    Batch a, b;
    one->draw(RandomStream(1, Purpose::gradient), 7, a);
    many->draw(RandomStream(1, Purpose::gradient), 7, b);
    EXPECT_EQ(a.index, b.index);
    EXPECT_EQ(a.w, b.w);
    EXPECT_EQ(a.w0, b.w0);
  }
}

TEST(Importance, TakesTheStrataThatSuitTheLoss) {
  const Tensor tensor = corner();
  const Loss poisson = parse_loss("poisson");
  const Loss odds = parse_loss("bernoulli-odds");
  EXPECT_EQ(resolve(importance(), tensor, poisson.info()).importance.zeros, ImportanceZeros::exact);
  EXPECT_EQ(resolve(importance(), tensor, poisson.info()).nonzero_samples, 200u);
  EXPECT_EQ(resolve(importance(), tensor, odds.info()).importance.zeros, ImportanceZeros::drawn);
  EXPECT_EQ(resolve(importance(), tensor, odds.info()).nonzero_samples, 100u);
  EXPECT_THAT(made(tensor, odds, importance())->describe(), HasSubstr("zeros, following the model"));
  const Tensor dense = dense_cases()[0].tensor;
  EXPECT_THAT(made(dense, odds, importance())->describe(), HasSubstr("cells, following the model"));
}

TEST(Importance, RefusesWhatItCannotServe) {
  const Tensor tensor = corner();
  const Tensor dense = dense_cases()[0].tensor;
  const Loss odds = parse_loss("bernoulli-odds");
  SampleOptions exact = importance();
  exact.importance.zeros = ImportanceZeros::exact;
  EXPECT_THAT(
      message_of([&] { made(tensor, odds, exact); }),
      HasSubstr("importance-zeros exact: loss bernoulli-odds has no closed form for the sum over zeros; use drawn"));
  EXPECT_THAT(message_of([&] { made(dense, odds, exact); }), HasSubstr("importance-zeros: the tensor is dense"));
  SampleOptions other = importance();
  other.sampler = SamplerKind::stratified;
  other.importance.refresh = 7;
  EXPECT_THAT(message_of([&] { made(tensor, odds, other); }), HasSubstr("is not used by sampler stratified"));
  other.importance = {};
  EXPECT_THAT(message_of([&] { made(tensor, odds, other)->refreshed(corner_model(1), odds, 0, 1); }),
              HasSubstr("does not follow the model"));
}

}  // namespace
}  // namespace polyad::test
