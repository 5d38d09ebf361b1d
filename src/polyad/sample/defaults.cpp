#include <polyad/sample/defaults.hpp>

#include <algorithm>

namespace polyad {

namespace {

constexpr std::uint64_t least_samples = 1000;
constexpr std::uint64_t most_samples = 100'000;
constexpr double most_samples_a_cell = 10;
constexpr std::uint64_t nonzeros_a_sample = 8;
constexpr std::uint64_t estimate_samples_dense = 100'000;
constexpr std::uint64_t estimate_samples_sparse = 200'000;

}  // namespace

std::uint64_t default_samples(const Tensor& tensor) {
  std::uint64_t most_useful = most_samples;
  if (const SparseTensor* sparse = tensor.sparse()) {
    most_useful = std::clamp(sparse->listed() / nonzeros_a_sample, least_samples, most_samples);
  }
  const std::uint64_t s = std::clamp(tensor.space().sum_of_extents(), least_samples, most_useful);
  const double most = most_samples_a_cell * tensor.observed();
  return static_cast<double>(s) <= most ? s : static_cast<std::uint64_t>(most);
}

std::uint64_t default_nonzero_samples(SamplerKind kind, const SparseTensor& tensor, std::uint64_t samples) {
  if (tensor.listed() == 0) return 0;
  if (tensor.zeros() == 0 || kind == SamplerKind::exact_zeros) return samples;
  return samples / 2;
}

std::uint64_t default_estimate_samples(const Tensor& tensor) {
  return tensor.is_sparse() ? estimate_samples_sparse : estimate_samples_dense;
}

}  // namespace polyad
