#include <polyad/sample/counts.hpp>
#include <polyad/sample/listed_draws.hpp>
#include <polyad/sample/samplers.hpp>
#include <polyad/sample/zero_draws.hpp>

#include <optional>

namespace polyad {

namespace {

class Stratified final : public Sampler {
 public:
  Stratified(const SparseTensor& tensor, Split split) : tensor_(&tensor), zeros_(tensor, Admit::zeros, split.q) {
    if (split.p > 0) listed_.emplace(tensor, split.p);
  }

  void draw(const RandomStream& stream, std::uint64_t draw, Batch& batch) const override {
    const std::size_t p = listed_ ? listed_->count() : 0;
    batch.resize(tensor_->space().modes(), p + zeros_.count(), false);
    batch.all_cells = 0;
    if (listed_) listed_->fill({stream, draw}, 0, batch);
    zeros_.fill({stream, draw}, p, batch);
  }
  SamplerKind kind() const override { return SamplerKind::stratified; }
  std::string describe() const override {
    const std::string zeros = describe_draws(zeros_.count(), zeros_.cells(), "zeros");
    if (!listed_) return zeros;
    return describe_draws(listed_->count(), listed_->cells(), listed_noun(*tensor_)) + " and " + zeros;
  }

 private:
  const SparseTensor* tensor_;
  std::optional<ListedDraws> listed_;
  ZeroDraws zeros_;
};

}  // namespace

std::unique_ptr<Sampler> make_stratified(const SparseTensor& tensor, const SampleOptions& options) {
  const Split split = split_samples(tensor, options);
  if (split.q == 0) return make_listed(tensor, SamplerKind::stratified, split.p);
  return std::make_unique<Stratified>(tensor, split);
}

}  // namespace polyad
