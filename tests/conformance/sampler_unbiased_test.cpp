// E[F~] = F and E[G~] = G for every sampler, on tensors of every kind and several losses; and the check itself finds
// samplers that are slightly wrong.

#include <polyad/base/error.hpp>
#include <polyad/base/json_value.hpp>
#include <polyad/fields.hpp>
#include <polyad/loss.hpp>
#include <polyad/sample/samplers.hpp>

#include <gtest/gtest.h>

#include <conformance/metamorphic.hpp>
#include <conformance/spoilt.hpp>
#include <conformance/z_of.hpp>
#include <fstream>

namespace polyad::test {
namespace {

std::unique_ptr<Sampler> sampler_for(const Tensor& tensor, const Loss& loss, SamplerKind kind,
                                     std::uint64_t parts = 1) {
  SampleOptions options;
  options.sampler = kind;
  const bool in_parts = kind != SamplerKind::strata && kind != SamplerKind::exhaustive;
  if (in_parts) options.parts = parts;
  if (kind != SamplerKind::exhaustive) options.samples = 13;
  if (kind == SamplerKind::strata) {
    options.strata = tensor.is_sparse()
                         ? std::vector<std::string>{"nonzeros:values=..1", "nonzeros:values=2..", "zeros"}
                         : std::vector<std::string>{"cells:values=..1", "cells:values=2.."};
  }
  return make_sampler(tensor, loss.info(), resolve(options, tensor, loss.info()));
}

/// All samplers of the list that serve these data: every one does, but for exact-zeros where zeros have no closed form.
std::vector<SamplerKind> samplers_for(const Tensor& tensor, const Loss& loss) {
  std::vector<SamplerKind> kinds;
  for (const SamplerKind kind : metamorphic::every<SamplerKind>()) {
    if (info_of(kind).sparse_only && !tensor.is_sparse()) continue;
    try {
      (void)sampler_for(tensor, loss, kind);
      kinds.push_back(kind);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage) << error.what();
      const SparseTensor* sparse = tensor.sparse();
      const bool summable =
          sparse != nullptr && sparse->unlisted() == Unlisted::zero && loss.info().zero_sum != ZeroSum::none;
      EXPECT_TRUE(kind == SamplerKind::exact_zeros && !summable) << word_of(kind) << ": " << error.what();
    }
  }
  return kinds;
}

TEST(SamplerUnbiased, GradientAndObjectiveOfEverySampler) {
  for (const TensorCase& c : all_cases()) {
    for (const std::string_view name : {"gaussian", "poisson", "bernoulli-logit", "huber:delta=0.5"}) {
      const Loss loss = parse_loss(name);
      for (const SamplerKind kind : samplers_for(c.tensor, loss)) {
        const auto sampler = sampler_for(c.tensor, loss, kind);
        EXPECT_LT(z_of(*sampler, c.tensor, loss, draws), z_threshold)
            << c.name << ", " << name << ", " << word_of(kind) << ": " << sampler->describe();
      }
    }
  }
}

// Divided by ranges of the largest mode, each with its own share of the samples.
TEST(SamplerUnbiased, InParts) {
  const Loss loss = parse_loss("poisson");
  std::size_t divided = 0;
  for (const TensorCase& c : all_cases()) {
    const auto extents = c.tensor.space().extents();
    const std::uint64_t parts = std::min<std::uint64_t>(3, *std::max_element(extents.begin(), extents.end()));
    for (const SamplerKind kind : samplers_for(c.tensor, loss)) {
      if (kind == SamplerKind::strata || kind == SamplerKind::exhaustive) continue;
      const auto sampler = sampler_for(c.tensor, loss, kind, parts);
      EXPECT_EQ(sampler->partition().parts(), parts);
      divided += parts > 1 ? 1 : 0;
      EXPECT_LT(z_of(*sampler, c.tensor, loss, draws), z_threshold)
          << c.name << ", " << word_of(kind) << " in " << parts << " parts: " << sampler->describe();
    }
  }
  EXPECT_GT(divided, 20u);
}

const Tensor& tensor_named(const std::vector<TensorCase>& cases, std::string_view name) {
  for (const TensorCase& c : cases) {
    if (c.name == name) return c.tensor;
  }
  throw std::logic_error("no such tensor");
}

class BiasFound : public ::testing::Test {
 protected:
  static constexpr std::size_t enough_draws = 20000;
  void expect_found(const std::string& tensor_name, SamplerKind kind, const Spoilt::Spoil& spoil) {
    const Tensor& tensor = tensor_named(cases_, tensor_name);
    const Loss loss = parse_loss("poisson");
    EXPECT_LT(z_of(*sampler_for(tensor, loss, kind), tensor, loss, enough_draws), z_threshold);
    EXPECT_GT(z_of(Spoilt(sampler_for(tensor, loss, kind), spoil), tensor, loss, enough_draws), z_threshold);
  }
  std::vector<TensorCase> cases_ = sparse_cases();
};

TEST_F(BiasFound, ZeroDrawsThatNeverReachIndexZero) {
  for (const SamplerKind kind : {SamplerKind::uniform, SamplerKind::stratified, SamplerKind::semi_stratified}) {
    expect_found("sparse_3_modes", kind, [](Batch& batch) {
      for (std::size_t t = 0; t < batch.size(); ++t) {
        if (batch.x[t] == 0 && batch.index[1][t] == 0) batch.index[1][t] = 1;
      }
    });
  }
}

TEST_F(BiasFound, SemiStratifiedCorrectionWithTheEntrysOwnWeight) {
  // With v = 1, w = eta w_i / p: both terms multiplied by w_i would be w0 = -w.
  expect_found("sparse_weights_3_modes", SamplerKind::semi_stratified, [](Batch& batch) {
    for (std::size_t t = 0; t < batch.size(); ++t) {
      if (batch.w0[t] != 0) batch.w0[t] = -batch.w[t];
    }
  });
}

TEST_F(BiasFound, CountOfNonzerosOffByOne) {
  const double eta = static_cast<double>(tensor_named(cases_, "sparse_3_modes").sparse()->listed());
  for (const SamplerKind kind : {SamplerKind::stratified, SamplerKind::exact_zeros}) {
    expect_found("sparse_3_modes", kind, [eta](Batch& batch) {
      for (std::size_t t = 0; t < batch.size(); ++t) {
        if (batch.x[t] == 0) continue;
        batch.w[t] *= (eta + 1) / eta;
        if (!batch.w0.empty()) batch.w0[t] *= (eta + 1) / eta;
      }
    });
  }
}

TEST_F(BiasFound, MissingCellsDrawnAsZeros) {
  const SparseTensor& sparse = *tensor_named(cases_, "sparse_weights_and_mask_3_modes").sparse();
  const Index* missing = sparse.missing().index(0);
  expect_found("sparse_weights_and_mask_3_modes", SamplerKind::stratified, [missing](Batch& batch) {
    const std::size_t last = batch.size() - 1;
    for (std::size_t k = 0; k < batch.modes(); ++k) batch.index[k][last] = missing[k];
  });
}

TEST(Reference, AgreesWithTheGoldenEstimates) {
  std::ifstream file(POLYAD_GOLDEN_DIR "/golden_small.json");
  const nlohmann::json golden = nlohmann::json::parse(file);
  std::size_t compared = 0;
  for (const auto& golden_case : golden["cases"]) {
    if (!golden_case.contains("estimates")) continue;
    std::string spec = golden_case["loss"];
    if (spec == "huber") spec += ":delta=0.25";
    if (spec == "negative-binomial") spec += ":r=4";
    if (spec == "beta-divergence") spec += ":beta=0.3";
    const Loss loss = parse_loss(spec);
    const auto model = golden["models"][golden_case["model"].get<std::string>()].get<PlainModel>();
    const Reference reference(model, loss);
    for (const auto& [sampler, estimate] : golden_case["estimates"].items()) {
      const auto& samples = golden["samples"][golden_case["data"].get<std::string>()][sampler];
      const auto cells = samples["subs"].get<std::vector<std::vector<Index>>>();
      const auto corrected = samples["corrected_first"].get<std::size_t>();
      Batch batch;
      batch.resize(cells[0].size(), cells.size(), corrected > 0);
      for (std::size_t t = 0; t < cells.size(); ++t) {
        for (std::size_t k = 0; k < cells[t].size(); ++k) batch.index[k][t] = cells[t][k];
        batch.x[t] = samples["vals"][t];
        batch.w[t] = samples["weights"][t];
        if (corrected > 0) batch.w0[t] = t < corrected ? -batch.w[t] : 0.0;
      }
      std::vector<double> expected = {estimate["F"].get<double>()};
      for (const auto& factor : estimate["G"].get<PlainModel>()) {
        for (const auto& row : factor) expected.insert(expected.end(), row.begin(), row.end());
      }
      const std::vector<double> found = reference(batch);
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_NEAR(found[i], expected[i], 1e-9 * (1 + std::abs(expected[i]))) << spec << " " << sampler;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 1000u);
}

}  // namespace
}  // namespace polyad::test
