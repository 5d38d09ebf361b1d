#pragma once
// The table of samplers, and what samplers are written with. A descriptor stands in its sampler's own source. A new sampler is
// one such source, its declaration below and its place in `all_samplers`.
//
// With several parts (partition.hpp) each stratum below is divided once more, by part: its size and its samples are then those
// of a part.

#include <polyad/base/option_use.hpp>
#include <polyad/base/text.hpp>
#include <polyad/sample/sampler.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polyad {

struct SamplerInfo {
  std::string_view word;
  bool sparse_only = false;
  /// Fields, or titles of groups of them, that not all samplers use.
  std::span<const std::string_view> uses = {};
  /// Samples per batch where not simply as many as asked for: checks what is asked. Null: as asked, or default_samples.
  std::uint64_t (*samples)(const Tensor& tensor, const SampleOptions& options) = nullptr;
  /// Options are resolved, something is observed. Throws where the sampler cannot serve.
  std::unique_ptr<Sampler> (*make)(const Tensor& tensor, const LossInfo& loss, const SampleOptions& options) = nullptr;
};

/// Alg. 1: w = (omega / s) w_i over observed cells; on a sparse tensor x and w_i are looked up.
extern const SamplerInfo uniform_sampler;

/// Alg. 2: p listed, w = (eta / p) w_i; q zeros by rejection, w = (zeta / q) v.
extern const SamplerInfo stratified_sampler;

/// Alg. 3: p listed, w = (eta / p) w_i and w0 = -(eta / p) v; q observed cells without look-up, x = 0, w = (omega / q) v. Both
/// terms use the v of a zero draw: with w_i in both the gradient would be biased.
extern const SamplerInfo semi_stratified_sampler;

/// F = v sum_all f(0, m) + sum_listed [w_i f(x, m) - v f(0, m)] - v sum_missing f(0, m): the first sum exactly (batch.all_cells = v),
/// the second from p listed records, the third from a stratum of missing cells (draws/missing_draws.hpp). Errors: unlisted cells
/// that are missing, a loss whose zero sum has no closed form.
extern const SamplerInfo exact_zeros_sampler;

/// The strata of exact-zeros, stratified or uniform (importance_strata says which), drawn from by densities that follow the
/// model once it is refreshed: listed records by RecordDraws, zeros and dense cells by AdaptiveCells. Before that, uniformly.
extern const SamplerInfo importance_sampler;

/// The user's partition (strata/strata.hpp): w = (size / samples) w_i in every stratum.
extern const SamplerInfo strata_sampler;

/// Every observed cell once, the same batch in each draw.
extern const SamplerInfo exhaustive_sampler;

/// THE list, in the order of the names in `SamplerKind`.
inline constexpr std::array all_samplers = {&uniform_sampler,     &stratified_sampler, &semi_stratified_sampler,
                                            &exact_zeros_sampler, &importance_sampler, &strata_sampler,
                                            &exhaustive_sampler};

const SamplerInfo& info_of(SamplerKind kind);
/// All samplers as users of options.
std::vector<OptionUser> sampler_users(SamplerKind chosen);

/// The sampler whose strata importance draws from: uniform for dense tensors; for sparse ones exact-zeros or stratified, as
/// options.importance.zeros says; where that is auto, exact-zeros wherever it can serve.
SamplerKind importance_strata(const Tensor& tensor, const LossInfo& loss, const SampleOptions& options);

/// The split of the samples in two strata, p of listed entries and q of zeros. A usage error where a stratum that is not empty
/// would get no samples.
struct Split {
  std::uint64_t p;
  std::uint64_t q;
};
Split split_samples(const SparseTensor& tensor, const SampleOptions& options);

/// Largest number of samples a batch may have: sample numbers are 32 bits wide.
inline constexpr std::uint64_t max_samples = std::uint64_t{1} << 31;

// --- What `auto` means for numbers of samples: all in resolve.cpp, because these are chosen by measurement. ---

/// Entries per iteration: the paper recommends the sum of the extents; bounded below (a batch costs little more than the step
/// it feeds) and above, not much larger than the data, and of sparse data at most an eighth of the nonzeros: of few nonzeros
/// in long modes more samples show nothing new (docs/design/0003-defaults.md).
std::uint64_t default_samples(const Tensor& tensor);
/// How many of `samples` are listed entries for a sampler that divides them (Sec. 4: half); all, where there are no zeros to
/// draw or zeros are summed exactly; none, where nothing is listed.
std::uint64_t default_nonzero_samples(SamplerKind kind, const SparseTensor& tensor, std::uint64_t samples);
std::uint64_t default_estimate_samples(const Tensor& tensor);

// --- What samplers say about the cells they draw from, and whether there are any. ---

/// "1,000 of 524,468 nonzeros".
std::string describe_draws(std::uint64_t samples, double cells, const std::string& what);
/// What the listed entries of a sparse tensor are, for people: "nonzeros", or "listed entries" where zeros are among them.
std::string listed_noun(const SparseTensor& tensor);
/// What a tensor stores, for people: "5,325,328 listed cells" where it is sparse, "9,375,000 cells" where it is dense.
std::string describe_stored(const Tensor& tensor);
/// Whether the unlisted cells of a sparse tensor are data.
bool zeros_are_data(const SparseTensor& tensor);
/// A data error where every cell is missing: no sampler can serve then.
void check_something_observed(const Tensor& tensor);

// --- Cells taken once each, with their own weights, instead of being drawn (fixed_batches.cpp). ---
// Each fills slots from `first` on, which the batch must have, and returns the slot after the last.

std::size_t put_every_observed(const DenseTensor& tensor, std::size_t first, Batch& batch);
std::size_t put_every_listed(const SparseTensor& tensor, std::size_t first, Batch& batch);
/// Walks through the whole space.
std::size_t put_every_zero(const SparseTensor& tensor, std::size_t first, Batch& batch);

}  // namespace polyad
