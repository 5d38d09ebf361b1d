#pragma once
// The table of samplers. A descriptor stands in its sampler's own source; a new sampler is one such source, one line in the list
// in sampler.cpp and one in `enum class SamplerKind`. With several parts (partition.hpp) each stratum below is divided once
// more, by part: its size and its samples are then those of a part.

#include <polyad/base/option_use.hpp>
#include <polyad/sample/sampler.hpp>

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace polyad {

struct SamplerInfo {
  std::string_view word;
  bool sparse_only = false;
  /// Fields, or titles of groups of them, that not all samplers use.
  std::span<const std::string_view> uses = {};
  /// Options are resolved, something is observed. Throws where the sampler cannot serve.
  std::unique_ptr<Sampler> (*make)(const Tensor& tensor, const LossInfo& loss, const SampleOptions& options) = nullptr;
};

const SamplerInfo& info_of(SamplerKind kind);
/// All samplers as users of options.
std::vector<OptionUser> sampler_users(SamplerKind chosen);

/// Alg. 1: w = (omega / s) w_i over observed cells; on a sparse tensor x and w_i are looked up.
extern const SamplerInfo uniform_sampler;

/// Alg. 2: p listed, w = (eta / p) w_i; q zeros by rejection, w = (zeta / q) v.
extern const SamplerInfo stratified_sampler;

/// Alg. 3: p listed, w = (eta / p) w_i and w0 = -(eta / p) v; q observed cells without look-up, x = 0,
/// w = (omega / q) v. Both terms use the v of a zero draw: with w_i in both the gradient would be biased.
extern const SamplerInfo semi_stratified_sampler;

/// F = v sum_all f(0, m) + sum_listed [w_i f(x, m) - v f(0, m)]: the first sum exactly (batch.all_cells = v),
/// the second from p listed records. Errors: a mask, unlisted cells that are missing, a loss whose zero sum
/// has no closed form.
extern const SamplerInfo exact_zeros_sampler;

/// The strata of exact-zeros, stratified or uniform (importance_strata says which), drawn from by densities that follow the
/// model once it is refreshed: listed records by RecordDraws, zeros and dense cells by AdaptiveCells. Before that, uniformly.
extern const SamplerInfo importance_sampler;

/// The user's partition (stratum_spec.hpp): w = (size / samples) w_i in every stratum.
extern const SamplerInfo strata_sampler;

/// Every observed cell once, the same batch each draw.
extern const SamplerInfo exhaustive_sampler;

/// The sampler whose strata importance draws from: uniform for dense tensors; for sparse ones exact-zeros or stratified, as
/// options.importance.zeros says, where that is auto exact-zeros wherever it can serve.
SamplerKind importance_strata(const Tensor& tensor, const LossInfo& loss, const SampleOptions& options);

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
