
#include <polyad/base/error.hpp>
#include <polyad/sample/samplers.hpp>

namespace polyad {

namespace {

class Exhaustive final : public Sampler {
 public:
  Exhaustive(Batch batch, Partition partition) : batch_(std::move(batch)), partition_(std::move(partition)) {}

  const Partition& partition() const override { return partition_; }
  void draw_part(const RandomStream&, std::uint64_t, std::size_t, Batch& batch) const override { batch = batch_; }
  std::string describe() const override {
    return fmt::format("all {} observed cells", format_count(static_cast<double>(batch_.size())));
  }

 private:
  Batch batch_;
  Partition partition_;
};

std::uint64_t samples_of_exhaustive(const Tensor& tensor, const SampleOptions& options) {
  const double observed = tensor.observed();
  if (options.samples && static_cast<double>(*options.samples) != observed) {
    fail(ErrorKind::usage,
         "`samples`: `sampler exhaustive` takes every one of the {} observed cells; leave samples out",
         format_count(observed));
  }
  return observed < 0x1p63 ? static_cast<std::uint64_t>(observed) : std::uint64_t{1} << 63;
}

}  // namespace

constinit const SamplerInfo exhaustive_sampler = {
    .word = "exhaustive",
    .samples = samples_of_exhaustive,
    .make = [](const Tensor& tensor, const LossInfo&, const SampleOptions&) -> std::unique_ptr<Sampler> {
      return std::make_unique<Exhaustive>(exhaustive_batch(tensor), make_partition(tensor, 1, 1, 1));
    },
};

}  // namespace polyad
