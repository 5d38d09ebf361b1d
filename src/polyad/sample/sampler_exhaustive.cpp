#include <polyad/base/error.hpp>
#include <polyad/sample/counts.hpp>
#include <polyad/sample/draws/every_cell.hpp>
#include <polyad/sample/samplers.hpp>

namespace polyad {

namespace {

constexpr double max_cells = 0x1p31;

class Exhaustive final : public Sampler {
 public:
  Exhaustive(Batch batch, Partition partition) : batch_(std::move(batch)), partition_(std::move(partition)) {}

  const Partition& partition() const override { return partition_; }
  void draw_part(const RandomStream&, std::uint64_t, std::size_t, Batch& batch) const override { batch = batch_; }
  SamplerKind kind() const override { return SamplerKind::exhaustive; }
  std::string describe() const override {
    return fmt::format("all {} observed cells", format_count(static_cast<double>(batch_.size())));
  }

 private:
  Batch batch_;
  Partition partition_;
};

}  // namespace

Batch exhaustive_batch(const Tensor& tensor) {
  check_something_observed(tensor);
  const SparseTensor* sparse = tensor.sparse();
  // Where only listed entries are data, it is they that are walked through, not the space.
  const double walked = sparse != nullptr && !zeros_are_data(*sparse) ? tensor.observed() : tensor.space().cells();
  if (walked > max_cells) {
    fail(ErrorKind::usage, "sampler exhaustive: {} cells are more than the {} it can hold; use another sampler",
         format_count(walked), format_count(max_cells));
  }
  Batch batch;
  batch.resize(tensor.space().modes(), static_cast<std::size_t>(tensor.observed()), false);
  if (sparse != nullptr) {
    const std::size_t listed = put_every_listed(*sparse, 0, batch);
    if (zeros_are_data(*sparse)) put_every_zero(*sparse, listed, batch);
  } else {
    put_every_observed(*tensor.dense(), 0, batch);
  }
  return batch;
}

constinit const SamplerInfo exhaustive_sampler = {
    .word = "exhaustive",
    .make = [](const Tensor& tensor, const LossInfo&, const SampleOptions&) -> std::unique_ptr<Sampler> {
      return std::make_unique<Exhaustive>(exhaustive_batch(tensor), make_partition(tensor, 1, 1, 1));
    },
};

}  // namespace polyad
