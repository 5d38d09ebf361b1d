#include <polyad/sample/counts.hpp>
#include <polyad/sample/listed_draws.hpp>
#include <polyad/sample/samplers.hpp>

#include <optional>

namespace polyad {

namespace {

class ExactZeros final : public Sampler {
 public:
  ExactZeros(const SparseTensor& tensor, std::uint64_t p) : tensor_(&tensor) {
    if (p > 0) listed_.emplace(tensor, p, tensor.zero_weight());
  }

  void draw(const RandomStream& stream, std::uint64_t draw, Batch& batch) const override {
    batch.resize(tensor_->space().modes(), listed_ ? listed_->count() : 0, true);
    batch.all_cells = tensor_->zero_weight();
    if (listed_) listed_->fill({stream, draw}, 0, batch);
  }
  SamplerKind kind() const override { return SamplerKind::exact_zeros; }
  std::string describe() const override {
    const std::string zeros = fmt::format("all {} zeros exactly", format_count(tensor_->zeros()));
    if (!listed_) return zeros;
    return describe_draws(listed_->count(), listed_->cells(), listed_noun(*tensor_)) + " and " + zeros;
  }

 private:
  const SparseTensor* tensor_;
  std::optional<ListedDraws> listed_;
};

}  // namespace

std::unique_ptr<Sampler> make_exact_zeros(const SparseTensor& tensor, const LossInfo& loss,
                                          const SampleOptions& options) {
  if (loss.zero_sum == ZeroSum::none) {
    fail(ErrorKind::usage, "sampler exact-zeros: loss {} has no closed form for the sum over zeros; use stratified",
         loss.name);
  }
  if (!zeros_are_data(tensor)) {
    fail(ErrorKind::usage,
         "sampler exact-zeros: unlisted cells are missing, so there are no zeros to sum; use uniform");
  }
  if (tensor.missing_cells() > 0) {
    fail(ErrorKind::usage,
         "sampler exact-zeros: {} cells are missing, but the closed sum covers every cell; use stratified",
         format_count(static_cast<double>(tensor.missing_cells())));
  }
  if (tensor.listed() == 0) return std::make_unique<ExactZeros>(tensor, 0);
  const std::uint64_t p = options.nonzero_samples.value_or(*options.samples);
  if (p == 0) {
    fail(ErrorKind::usage, "nonzero-samples: sampler exact-zeros draws nothing but nonzeros; give it at least 1");
  }
  return std::make_unique<ExactZeros>(tensor, p);
}

}  // namespace polyad
