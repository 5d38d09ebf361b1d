#include <polyad/sample/counts.hpp>
#include <polyad/sample/listed_draws.hpp>
#include <polyad/sample/samplers.hpp>
#include <polyad/sample/zero_draws.hpp>

#include <optional>

namespace polyad {

namespace {

class SemiStratified final : public Sampler {
 public:
  SemiStratified(const SparseTensor& tensor, Split split) : tensor_(&tensor), cells_(tensor, Admit::observed, split.q) {
    if (split.p > 0) listed_.emplace(tensor, split.p, tensor.zero_weight());
  }

  void draw(const RandomStream& stream, std::uint64_t draw, Batch& batch) const override {
    const std::size_t p = listed_ ? listed_->count() : 0;
    batch.resize(tensor_->space().modes(), p + cells_.count(), listed_.has_value());
    batch.all_cells = 0;
    if (listed_) listed_->fill({stream, draw}, 0, batch);
    cells_.fill({stream, draw}, p, batch);
  }
  SamplerKind kind() const override { return SamplerKind::semi_stratified; }
  std::string describe() const override {
    if (!listed_) return describe_draws(cells_.count(), cells_.cells(), "zeros");
    return describe_draws(listed_->count(), listed_->cells(), listed_noun(*tensor_)) + " and " +
           describe_draws(cells_.count(), cells_.cells(), "cells taken as zeros");
  }

 private:
  const SparseTensor* tensor_;
  std::optional<ListedDraws> listed_;
  ZeroDraws cells_;
};

}  // namespace

std::unique_ptr<Sampler> make_semi_stratified(const SparseTensor& tensor, const SampleOptions& options) {
  const Split split = split_samples(tensor, options);
  if (split.q == 0) return make_listed(tensor, SamplerKind::semi_stratified, split.p);
  return std::make_unique<SemiStratified>(tensor, split);
}

}  // namespace polyad
