#include <polyad/sample/counts.hpp>
#include <polyad/sample/dense_draws.hpp>
#include <polyad/sample/samplers.hpp>
#include <polyad/sample/zero_draws.hpp>

#include <array>

namespace polyad {

namespace {

class DenseUniform final : public Sampler {
 public:
  DenseUniform(const DenseTensor& tensor, std::uint64_t samples)
      : modes_(tensor.space().modes()), draws_(tensor, samples) {}

  void draw(const RandomStream& stream, std::uint64_t draw, Batch& batch) const override {
    batch.resize(modes_, draws_.count(), false);
    batch.all_cells = 0;
    draws_.fill({stream, draw}, 0, batch);
  }
  SamplerKind kind() const override { return SamplerKind::uniform; }
  std::string describe() const override { return describe_draws(draws_.count(), draws_.cells(), "cells"); }

 private:
  std::size_t modes_;
  DenseDraws draws_;
};

class SparseUniform final : public Sampler {
 public:
  SparseUniform(const SparseTensor& tensor, std::uint64_t samples)
      : tensor_(&tensor), draws_(tensor, Admit::observed, samples) {}

  void draw(const RandomStream& stream, std::uint64_t draw, Batch& batch) const override {
    const std::size_t d = tensor_->space().modes();
    batch.resize(d, draws_.count(), false);
    batch.all_cells = 0;
    draws_.fill_cells({stream, draw}, 0, batch);
    const double omega_over_s = draws_.cells() / static_cast<double>(draws_.count());
    const Records& records = tensor_->records();
    std::array<Index, max_modes> index{};
    for (std::size_t t = 0; t < batch.size(); ++t) {
      for (std::size_t k = 0; k < d; ++k) index[k] = batch.index[k][t];
      const std::uint32_t record = tensor_->find(index.data());
      const bool listed = record != CellSet::absent;
      batch.x[t] = listed ? records.value(record) : 0.0;
      batch.w[t] = omega_over_s * (listed ? records.weight(record) : tensor_->zero_weight());
    }
  }
  SamplerKind kind() const override { return SamplerKind::uniform; }
  std::string describe() const override { return describe_draws(draws_.count(), draws_.cells(), "cells"); }

 private:
  const SparseTensor* tensor_;
  ZeroDraws draws_;
};

}  // namespace

std::unique_ptr<Sampler> make_uniform(const Tensor& tensor, const SampleOptions& options) {
  if (const DenseTensor* dense = tensor.dense()) {
    return std::make_unique<DenseUniform>(*dense, *options.samples);
  }
  const SparseTensor& sparse = *tensor.sparse();
  if (!zeros_are_data(sparse)) return make_listed(sparse, SamplerKind::uniform, *options.samples);
  return std::make_unique<SparseUniform>(sparse, *options.samples);
}

}  // namespace polyad
