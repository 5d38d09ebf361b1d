// Objective and gradient of every loss on the golden tensors (dense and sparse), and of the golden weighted samples,
// computed independently in another language.

#include <polyad/base/error.hpp>
#include <polyad/base/json_value.hpp>
#include <polyad/kernel/batch_objective.hpp>
#include <polyad/kernel/exact_objective.hpp>
#include <polyad/loss.hpp>
#include <polyad/loss/all.hpp>
#include <polyad/sample/sampler.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <set>

namespace polyad {
namespace {

using Golden = nlohmann::json;

const Golden& golden() {
  static const Golden file = Golden::parse(std::ifstream(POLYAD_GOLDEN_DIR "/golden_small.json"));
  return file;
}

Factors factors_of(const Golden& matrices) {
  std::vector<std::uint64_t> extents;
  for (const auto& matrix : matrices) extents.push_back(matrix.size());
  Factors f(extents, matrices[0][0].size());
  for (std::size_t k = 0; k < f.modes(); ++k) {
    for (std::size_t i = 0; i < f.rows(k); ++i) {
      for (std::size_t j = 0; j < f.rank(); ++j) f.at(k, i, j) = matrices[k][i][j];
    }
  }
  return f;
}

IndexSpace space() {
  return IndexSpace(golden()["shape"].get<std::vector<std::uint64_t>>());
}

Tensor dense_of(const Golden& nested) {
  AlignedVector<double> values;
  const auto collect = [&](const auto& self, const Golden& level) -> void {
    if (level.is_array()) {
      for (const auto& next : level) self(self, next);
    } else {
      values.push_back(level);
    }
  };
  collect(collect, nested);
  return DenseTensor(space(), std::move(values));
}

Tensor sparse_of(const Golden& coo) {
  Records records(space().modes());
  for (std::size_t t = 0; t < coo["vals"].size(); ++t) {
    const auto index = coo["subs"][t].get<std::vector<Index>>();
    records.append(index.data(), coo["vals"][t]);
  }
  return SparseTensor(space(), std::move(records));
}

Loss loss_of(const Golden& one_case) {
  const std::string name = one_case["loss"];
  if (one_case["param"].is_null()) return parse_loss(name);
  const Loss plain = parse_loss(name);
  return parse_loss(fmt::format("{}:{}={}", name, plain.parameters().at(0).first, one_case["param"].get<double>()));
}

void expect_equal(const Factors& gradient, const Golden& expected, const std::string& what) {
  const Factors want = factors_of(expected);
  double scale = 0;
  for (const double g : want.flat()) scale = std::max(scale, std::abs(g));
  for (std::size_t at = 0; at < want.flat().size(); ++at) {
    ASSERT_NEAR(gradient.flat()[at], want.flat()[at], 1e-12 * scale) << what;
  }
}

TEST(Golden, ObjectiveAndGradientOfEveryCase) {
  std::set<std::string> losses;
  for (const auto& one : golden()["cases"]) {
    const Loss loss = loss_of(one);
    losses.insert(std::string(loss.name()));
    const std::string what = fmt::format("{} {}", one["storage"].get<std::string>(), loss.spec());
    const std::string data = one["data"];
    const Factors model = factors_of(golden()["models"][one["model"].get<std::string>()]);
    const Tensor tensor =
        one["storage"] == "dense" ? dense_of(golden()["dense"][data]) : sparse_of(golden()["sparse"][data]);
    const double f = one["F"];

    const Batch all = exhaustive_batch(tensor);
    EXPECT_NEAR(estimate(model, all, loss), f, 1e-12 * std::abs(f)) << what;
    EXPECT_NEAR(exact_objective(model, tensor, loss, 1e9).value(), f, 1e-12 * std::abs(f)) << what;
    Factors gradient = model;
    sampled_gradient(model, all, loss, gradient);
    expect_equal(gradient, one["G"], what);
  }
  for (const Loss& loss : all_losses()) EXPECT_TRUE(losses.contains(std::string(loss.name()))) << loss.name();
}

TEST(Golden, WeightedSamplesOfEverySampler) {
  int tried = 0;
  for (const auto& one : golden()["cases"]) {
    if (!one.contains("estimates")) continue;
    const Loss loss = loss_of(one);
    const Factors model = factors_of(golden()["models"][one["model"].get<std::string>()]);
    const auto& samples = golden()["samples"][one["data"].get<std::string>()];
    for (const auto& [sampler, expected] : one["estimates"].items()) {
      const auto& drawn = samples[sampler];
      const std::size_t corrected = drawn.value("corrected_first", 0);
      Batch batch;
      batch.resize(space().modes(), drawn["vals"].size(), corrected > 0);
      for (std::size_t t = 0; t < batch.size(); ++t) {
        for (std::size_t k = 0; k < batch.modes(); ++k) batch.index[k][t] = drawn["subs"][t][k];
        batch.x[t] = drawn["vals"][t];
        batch.w[t] = drawn["weights"][t];
        if (corrected > 0) batch.w0[t] = t < corrected ? -batch.w[t] : 0.0;
      }
      const std::string what = fmt::format("{} {}", sampler, loss.spec());
      const double f = expected["F"];
      EXPECT_NEAR(estimate(model, batch, loss), f, 1e-11 * std::abs(f)) << what;
      Factors gradient = model;
      sampled_gradient(model, batch, loss, gradient);
      expect_equal(gradient, expected["G"], what);
      ++tried;
    }
  }
  EXPECT_GE(tried, 30);
}

}  // namespace
}  // namespace polyad
