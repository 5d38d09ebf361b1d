// E[F~] = F and E[G~] = G for the sampler that follows the model, whatever model its densities were made for: another one than
// that of the gradient (stale), with zero columns, zero rows, entries of either sign, all zeros or not finite.

#include <polyad/loss.hpp>
#include <polyad/sample/sampler.hpp>

#include <gtest/gtest.h>

#include <conformance/spoilt.hpp>
#include <conformance/z_of.hpp>
#include <limits>

namespace polyad::test {
namespace {

Factors factors_of(const PlainModel& model) {
  std::vector<std::uint64_t> extents;
  for (const auto& factor : model) extents.push_back(factor.size());
  Factors factors(extents, rank);
  for (std::size_t k = 0; k < model.size(); ++k) {
    for (std::size_t i = 0; i < model[k].size(); ++i) {
      for (std::size_t j = 0; j < rank; ++j) factors.at(k, i, j) = model[k][i][j];
    }
  }
  return factors;
}

struct Stale {
  std::string name;
  Factors factors;
};

/// Models that densities may have been made for. Entries differ by factors of several hundred.
std::vector<Stale> stale_models(const IndexSpace& space) {
  PlainModel uneven = some_model(space, rank, 33);
  for (auto& factor : uneven) {
    for (auto& row : factor) {
      for (double& a : row) a *= a * a * a;
    }
  }
  std::vector<Stale> models = {{"the gradient's own", factors_of(some_model(space, rank, 21))},
                               {"uneven", factors_of(uneven)}};
  PlainModel signs = uneven;
  for (std::size_t k = 0; k < signs.size(); ++k) {
    for (std::size_t i = k % 2; i < signs[k].size(); i += 2) signs[k][i][0] *= -1;
  }
  models.push_back({"either sign", factors_of(signs)});
  PlainModel zero_column = uneven;
  for (auto& row : zero_column[0]) row[1] = 0;
  models.push_back({"zero column", factors_of(zero_column)});
  PlainModel zero_rows = uneven;
  for (auto& factor : zero_rows) factor.back().assign(rank, 0.0);
  zero_rows[0].front()[0] = 0;
  models.push_back({"zero rows", factors_of(zero_rows)});
  models.push_back({"nothing but zeros", Factors(factors_of(uneven).extents(), rank)});
  PlainModel broken = uneven;
  broken[0][0][0] = std::numeric_limits<double>::infinity();
  broken.back()[0][1] = std::numeric_limits<double>::quiet_NaN();
  models.push_back({"not finite", factors_of(broken)});
  return models;
}

struct Choice {
  std::uint64_t parts = 1;
  std::optional<ImportanceZeros> zeros;
  bool adaptive = false;
};

std::unique_ptr<Sampler> importance(const Tensor& tensor, const Loss& loss, const Choice& choice) {
  SampleOptions options;
  options.sampler = SamplerKind::importance;
  options.samples = 13;
  options.parts = choice.parts;
  if (tensor.is_sparse()) options.importance.zeros = choice.zeros;
  options.importance.adaptive = choice.adaptive;
  return make_sampler(tensor, loss.info(), resolve(options, tensor, loss.info()));
}

TEST(ImportanceUnbiased, WithEveryStaleModel) {
  for (const TensorCase& c : all_cases()) {
    for (const std::string_view name : {"poisson", "bernoulli-logit"}) {
      const Loss loss = parse_loss(name);
      const auto sampler = importance(c.tensor, loss, {1, ImportanceZeros::drawn});
      for (const Stale& stale : stale_models(c.tensor.space())) {
        const auto refreshed = sampler->refreshed(stale.factors, loss, 0, 1);
        EXPECT_LT(z_of(*refreshed, c.tensor, loss, draws), z_threshold)
            << c.name << ", " << name << ", " << stale.name << ": " << sampler->describe();
      }
    }
  }
}

TEST(ImportanceUnbiased, InPartsRefreshedAgainAndOnExactZeros) {
  std::size_t divided = 0;
  for (const TensorCase& c : all_cases()) {
    const auto extents = c.tensor.space().extents();
    const std::uint64_t parts = std::min<std::uint64_t>(3, *std::max_element(extents.begin(), extents.end()));
    divided += parts > 1 ? 1 : 0;
    const auto models = stale_models(c.tensor.space());
    for (const std::string_view name : {"gaussian", "poisson", "huber:delta=0.5"}) {
      const Loss loss = parse_loss(name);
      for (const bool adaptive : {false, true}) {
        const auto sampler = importance(c.tensor, loss, {parts, {}, adaptive});
        EXPECT_EQ(sampler->partition().parts(), parts);
        auto refreshed = sampler->refreshed(models[4].factors, loss, 0, 1);
        refreshed = refreshed->refreshed(models[2].factors, loss, 100, 2);
        EXPECT_LT(z_of(*refreshed, c.tensor, loss, draws), z_threshold)
            << c.name << ", " << name << (adaptive ? ", adaptive" : "") << ": " << sampler->describe();
      }
    }
  }
  EXPECT_GT(divided, 10u);
}

// What one is likely to get wrong: weights as if candidates that are not kept had never been drawn, uniform weights, weights that
// are cut where they are large.
TEST(ImportanceUnbiased, SmallMistakesAreFound) {
  const Loss loss = parse_loss("poisson");
  const auto cases = sparse_cases();
  const Tensor& tensor = cases.front().tensor;
  ASSERT_EQ(cases.front().name, "sparse_3_modes");
  const auto models = stale_models(tensor.space());
  const auto sampler = importance(tensor, loss, {1, ImportanceZeros::drawn});
  constexpr std::size_t enough = 20000;
  EXPECT_LT(z_of(*sampler->refreshed(models[1].factors, loss, 0, 1), tensor, loss, enough), z_threshold);

  const auto expect_found = [&](const std::string& what, const Spoilt::Spoil& spoil) {
    const Spoilt spoilt(sampler->refreshed(models[1].factors, loss, 0, 1), spoil);
    EXPECT_GT(z_of(spoilt, tensor, loss, enough), z_threshold) << what;
  };
  const double zeros = tensor.sparse()->zeros();
  expect_found("zeros weighted as if kept by rejection", [&](Batch& batch) {
    double kept = 0;
    for (std::size_t t = batch.zeros_from; t < batch.size(); ++t) kept += 1;
    for (std::size_t t = batch.zeros_from; t < batch.size(); ++t) batch.w[t] *= 7 / kept;
  });
  expect_found("uniform weights", [&](Batch& batch) {
    const double kept = static_cast<double>(batch.size() - batch.zeros_from);
    for (std::size_t t = batch.zeros_from; t < batch.size(); ++t) batch.w[t] = zeros / kept;
  });
  expect_found("largest weights cut", [&](Batch& batch) {
    const double most = 1.5 * zeros / 7;
    for (double& w : batch.w) w = std::min(w, most);
  });
}

// The densities are those of the tables: the sum of 1 / (n q) over all kept draws estimates how many zeros there are, at each
// cell apart.
TEST(ImportanceUnbiased, EveryZeroIsReachedByItsOwnDensity) {
  const Loss loss = parse_loss("poisson");
  for (const TensorCase& c : sparse_cases()) {
    if (c.tensor.sparse()->unlisted() == Unlisted::missing) continue;
    const auto cells = observed_cells(c.tensor);
    const auto at = [&](const std::vector<Index>& index) {
      const auto found =
          std::find_if(cells.begin(), cells.end(), [&](const Cell& cell) { return cell.index == index; });
      return static_cast<std::size_t>(found - cells.begin());
    };
    std::vector<double> exact;
    for (const Cell& cell : cells) exact.push_back(cell.w);
    const auto counted = [&](const Batch& batch) {
      std::vector<double> weights(cells.size() + 1, 0.0);
      std::vector<Index> index(batch.modes());
      for (std::size_t t = 0; t < batch.size(); ++t) {
        for (std::size_t k = 0; k < batch.modes(); ++k) index[k] = batch.index[k][t];
        weights[at(index)] += batch.w[t];
      }
      EXPECT_EQ(weights.back(), 0.0) << "a cell that is not observed";
      weights.pop_back();
      return weights;
    };
    const auto sampler = importance(c.tensor, loss, {1, ImportanceZeros::drawn});
    for (const Stale& stale : stale_models(c.tensor.space())) {
      const auto refreshed = sampler->refreshed(stale.factors, loss, 0, 1);
      EXPECT_LT(largest_z(*refreshed, RandomStream(8, Purpose::gradient), affordable_draws(4000), counted, exact),
                z_threshold)
          << c.name << ", " << stale.name;
    }
  }
}

}  // namespace
}  // namespace polyad::test
