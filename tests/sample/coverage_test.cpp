// The exact condition for unbiasedness, whatever the loss and the model: in expectation, the batch's
// coefficient of f(x_i, m_i) is w_i at every observed cell i, and that of f(0, m_i) is w_i where x_i = 0 and
// 0 elsewhere. Never a coefficient at a missing cell.

#include <polyad/fields.hpp>
#include <polyad/loss.hpp>
#include <polyad/sample/sampler.hpp>

#include <gtest/gtest.h>

#include <map>
#include <sample/tensor_cases.hpp>
#include <sample/unbiased.hpp>

namespace polyad::test {
namespace {

constexpr std::size_t draws = 4000;

/// Coefficients of f(x_i, .) and of f(0, .) for every cell, two numbers a cell.
class Coefficients {
 public:
  explicit Coefficients(const Tensor& tensor) : cells_(all_cells(tensor.space())), value_(cells_.size(), 0.0) {
    for (std::size_t i = 0; i < cells_.size(); ++i) place_[cells_[i]] = i;
    exact_.assign(2 * cells_.size(), 0.0);
    for (const Cell& cell : observed_cells(tensor)) {
      const std::size_t i = place_.at(cell.index);
      value_[i] = cell.x;
      exact_[2 * i + (cell.x == 0 ? 1 : 0)] = cell.w;
    }
  }

  const std::vector<double>& exact() const { return exact_; }

  std::vector<double> operator()(const Batch& batch) const {
    std::vector<double> c(exact_.size(), 0.0);
    for (std::size_t i = 0; i < cells_.size(); ++i) c[2 * i + 1] = batch.all_cells;
    std::vector<Index> index(batch.modes());
    for (std::size_t t = 0; t < batch.size(); ++t) {
      for (std::size_t k = 0; k < batch.modes(); ++k) index[k] = batch.index[k][t];
      const std::size_t i = place_.at(index);
      if (batch.x[t] != 0) {
        EXPECT_EQ(batch.x[t], value_[i]);
      }
      c[2 * i + (batch.x[t] == 0 ? 1 : 0)] += batch.w[t];
      if (!batch.w0.empty()) c[2 * i + 1] += batch.w0[t];
    }
    return c;
  }

 private:
  std::vector<std::vector<Index>> cells_;
  std::map<std::vector<Index>, std::size_t> place_;
  std::vector<double> value_;
  std::vector<double> exact_;
};

SampleOptions options_for(SamplerKind kind, std::uint64_t samples) {
  SampleOptions options;
  options.sampler = kind;
  if (kind != SamplerKind::exhaustive) options.samples = samples;
  return options;
}

void expect_unbiased(const Tensor& tensor, const SampleOptions& options, std::uint64_t seed) {
  const Loss loss = parse_loss("poisson");
  const auto sampler = make_sampler(tensor, loss.info(), resolve(options, tensor, loss.info()));
  const Coefficients coefficients(tensor);
  EXPECT_LT(largest_z(*sampler, RandomStream(seed, Purpose::gradient), draws, coefficients, coefficients.exact()),
            z_threshold)
      << sampler->describe();
}

TEST(Coverage, DenseSamplersReachEveryObservedCellInProportion) {
  for (const TensorCase& c : dense_cases()) {
    SCOPED_TRACE(c.name);
    for (const std::uint64_t s : {1, 7, 16}) expect_unbiased(c.tensor, options_for(SamplerKind::uniform, s), s);
    expect_unbiased(c.tensor, options_for(SamplerKind::exhaustive, 0), 1);
  }
}

TEST(Coverage, SparseSamplersReachEveryObservedCellInProportion) {
  for (const TensorCase& c : sparse_cases()) {
    for (const SamplerKind kind : {SamplerKind::uniform, SamplerKind::stratified, SamplerKind::semi_stratified,
                                   SamplerKind::exact_zeros, SamplerKind::exhaustive}) {
      const SparseTensor& sparse = *c.tensor.sparse();
      const bool summable = sparse.unlisted() == Unlisted::zero;
      if (kind == SamplerKind::exact_zeros && !summable) continue;
      SCOPED_TRACE(c.name + " " + std::string(word_of(kind)));
      for (const std::uint64_t s : {2, 15}) expect_unbiased(c.tensor, options_for(kind, s), s);
    }
  }
}

TEST(Coverage, UnequalSplits) {
  for (const TensorCase& c : sparse_cases()) {
    SCOPED_TRACE(c.name);
    for (const SamplerKind kind : {SamplerKind::stratified, SamplerKind::semi_stratified}) {
      SampleOptions options = options_for(kind, 12);
      options.nonzero_samples = 3;
      expect_unbiased(c.tensor, options, 5);
    }
  }
}

TEST(Coverage, UserStrata) {
  for (const TensorCase& c : sparse_cases()) {
    SCOPED_TRACE(c.name);
    SampleOptions options;
    const std::string rest = c.tensor.space().modes() == 3 ? ",*,*" : ",*,*,*";
    options.strata = {"nonzeros:values=..<2", "nonzeros:values=2..:box=1" + rest + ":samples=2",
                      "nonzeros:values=2..:box=2-" + std::to_string(c.tensor.space().extent(0)) + rest,
                      "zeros:box=1-2" + rest,
                      "zeros:samples=4:box=3-" + std::to_string(c.tensor.space().extent(0)) + rest};
    options.samples = 14;
    expect_unbiased(c.tensor, options, 6);
  }
  for (const TensorCase& c : dense_cases()) {
    SCOPED_TRACE(c.name);
    SampleOptions options;
    options.samples = 15;
    options.strata = {"cells:values=..1", "cells:values=2..3:samples=3", "cells:values=4..100"};
    expect_unbiased(c.tensor, options, 7);
  }
}

/// The estimate's batch with seed t as draw t.
class EstimateOfSeed final : public Sampler {
 public:
  EstimateOfSeed(const Tensor& tensor, std::uint64_t samples)
      : tensor_(tensor), samples_(samples), partition_(make_partition(tensor, 1, 1, 1)) {}
  const Partition& partition() const override { return partition_; }
  void draw_part(const RandomStream&, std::uint64_t draw, std::size_t, Batch& batch) const override {
    SampleOptions options;
    options.estimate_samples = samples_;
    options.estimate_seed = draw;
    batch = estimate_batch(tensor_, options);
  }
  std::string describe() const override { return "estimate"; }

 private:
  const Tensor& tensor_;
  std::uint64_t samples_;
  Partition partition_;
};

TEST(Coverage, EstimatesAreUnbiasedOverTheirSeeds) {
  std::vector<TensorCase> cases = dense_cases();
  for (TensorCase& c : sparse_cases()) cases.push_back(std::move(c));
  for (const TensorCase& c : cases) {
    SCOPED_TRACE(c.name);
    const Coefficients coefficients(c.tensor);
    for (const std::uint64_t s : {1, 7, 30}) {
      EXPECT_LT(largest_z(EstimateOfSeed(c.tensor, s), RandomStream(1, Purpose::gradient), draws / 2, coefficients,
                          coefficients.exact()),
                z_threshold)
          << s;
    }
  }
}

}  // namespace
}  // namespace polyad::test
