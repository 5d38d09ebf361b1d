#pragma once
// The samplers; `make_sampler` chooses. Options are resolved, something is observed. With several parts (partition.hpp) each
// stratum below is divided once more, by part: its size and its samples are then those of a part.

#include <polyad/sample/sampler.hpp>

#include <memory>

namespace polyad {

/// Alg. 1: w = (omega / s) w_i over observed cells; on a sparse tensor x and w_i are looked up.
std::unique_ptr<Sampler> make_uniform(const Tensor& tensor, const SampleOptions& options);

/// Alg. 2: p listed, w = (eta / p) w_i; q zeros by rejection, w = (zeta / q) v.
std::unique_ptr<Sampler> make_stratified(const Tensor& tensor, const SampleOptions& options);

/// Alg. 3: p listed, w = (eta / p) w_i and w0 = -(eta / p) v; q observed cells without look-up, x = 0,
/// w = (omega / q) v. Both terms use the v of a zero draw: with w_i in both the gradient would be biased.
std::unique_ptr<Sampler> make_semi_stratified(const Tensor& tensor, const SampleOptions& options);

/// F = v sum_all f(0, m) + sum_listed [w_i f(x, m) - v f(0, m)]: the first sum exactly (batch.all_cells = v),
/// the second from p listed records. Errors: a mask, unlisted cells that are missing, a loss whose zero sum
/// has no closed form.
std::unique_ptr<Sampler> make_exact_zeros(const Tensor& tensor, const LossInfo& loss, const SampleOptions& options);

/// The strata of exact-zeros, stratified or uniform (importance_strata says which), drawn from by densities that follow the
/// model once it is refreshed: listed records by RecordDraws, zeros and dense cells by AdaptiveCells. Before that, uniformly.
std::unique_ptr<Sampler> make_importance(const Tensor& tensor, const LossInfo& loss, const SampleOptions& options);

/// The sampler whose strata importance draws from: uniform for dense tensors; for sparse ones exact-zeros or stratified, as
/// options.importance.zeros says, where that is auto exact-zeros wherever it can serve.
SamplerKind importance_strata(const Tensor& tensor, const LossInfo& loss, const SampleOptions& options);

/// The user's partition (stratum_spec.hpp): w = (size / samples) w_i in every stratum.
std::unique_ptr<Sampler> make_strata(const Tensor& tensor, const SampleOptions& options);

/// Every observed cell once, the same batch each draw.
std::unique_ptr<Sampler> make_exhaustive(const Tensor& tensor);

/// The split of the samples in two strata, p of listed entries and q of zeros. A usage error where a stratum
/// that is not empty would get no samples.
struct Split {
  std::uint64_t p;
  std::uint64_t q;
};
Split split_samples(const SparseTensor& tensor, const SampleOptions& options);

/// Largest number of samples a batch may have: sample numbers are 32 bits wide.
inline constexpr std::uint64_t max_samples = std::uint64_t{1} << 31;

}  // namespace polyad
