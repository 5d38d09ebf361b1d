#include <polyad/sample/counts.hpp>
#include <polyad/sample/listed_draws.hpp>
#include <polyad/sample/samplers.hpp>

namespace polyad {

namespace {

class Listed final : public Sampler {
 public:
  Listed(const SparseTensor& tensor, SamplerKind kind, std::uint64_t samples)
      : tensor_(&tensor), kind_(kind), draws_(tensor, samples) {}

  void draw(const RandomStream& stream, std::uint64_t draw, Batch& batch) const override {
    batch.resize(tensor_->space().modes(), draws_.count(), false);
    batch.all_cells = 0;
    draws_.fill({stream, draw}, 0, batch);
  }
  SamplerKind kind() const override { return kind_; }
  std::string describe() const override {
    return describe_draws(draws_.count(), draws_.cells(), listed_noun(*tensor_));
  }

 private:
  const SparseTensor* tensor_;
  SamplerKind kind_;
  ListedDraws draws_;
};

}  // namespace

std::unique_ptr<Sampler> make_listed(const SparseTensor& tensor, SamplerKind kind, std::uint64_t samples) {
  return std::make_unique<Listed>(tensor, kind, samples);
}

}  // namespace polyad
