#include <polyad/base/error.hpp>
#include <polyad/fields.hpp>
#include <polyad/sample/samplers.hpp>
#include <polyad/tensor/group_records.hpp>

#include <algorithm>

namespace polyad {

namespace {

constexpr std::uint64_t least_samples = 1000;
constexpr std::uint64_t most_samples = 100'000;
constexpr double most_samples_per_cell = 10;
constexpr std::uint64_t nonzeros_per_sample = 8;
constexpr std::uint64_t estimate_samples_dense = 100'000;
constexpr std::uint64_t estimate_samples_sparse = 200'000;

}  // namespace

std::uint64_t default_samples(const Tensor& tensor) {
  std::uint64_t most_useful = most_samples;
  if (const SparseTensor* sparse = tensor.sparse()) {
    most_useful = std::clamp(sparse->listed() / nonzeros_per_sample, least_samples, most_samples);
  }
  const std::uint64_t s = std::clamp(tensor.space().sum_of_extents(), least_samples, most_useful);
  const double most = most_samples_per_cell * tensor.observed();
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

namespace {

// Whether the closed sum is worth more than drawing zeros: missing cells are taken back from it by samples, which pays as long as
// most cells are observed.
bool zeros_summable(const SparseTensor& tensor, const LossInfo& loss) {
  return zeros_are_data(tensor) && loss.zero_sum != ZeroSum::none &&
         static_cast<double>(tensor.missing_cells()) <= tensor.space().cells() / 2;
}

// Following the model needs tables of about 32 bytes per nonzero for every start that runs, built again in every epoch.
constexpr std::uint64_t most_followed = 20'000'000;

SamplerKind default_sampler(const SampleOptions& options, const Tensor& tensor, const LossInfo& loss) {
  if (!options.strata.empty()) return SamplerKind::strata;
  const SparseTensor* sparse = tensor.sparse();
  if (sparse == nullptr || !zeros_are_data(*sparse)) return SamplerKind::uniform;
  if (zeros_summable(*sparse, loss)) return SamplerKind::exact_zeros;
  return sparse->listed() <= most_followed ? SamplerKind::importance : SamplerKind::stratified;
}

bool uses(SamplerKind kind, std::string_view option) {
  return std::ranges::find(info_of(kind).uses, option) != info_of(kind).uses.end();
}

ImportanceOptions resolve_importance(const SampleOptions& options, const Tensor& tensor, const LossInfo& loss) {
  ImportanceOptions r = options.importance;
  if (*options.sampler != SamplerKind::importance) return r;
  if (tensor.is_sparse()) {
    const bool exact = importance_strata(tensor, loss, options) == SamplerKind::exact_zeros;
    r.zeros = exact ? ImportanceZeros::exact : ImportanceZeros::drawn;
  } else if (r.zeros) {
    fail(ErrorKind::usage, "`importance-zeros`: the tensor is dense, so zeros are cells like all others; leave it out");
  }
  return r;
}

/// None where the sampler has no parts. `r` is resolved but for them; `strata` is the sampler whose strata are drawn from.
std::optional<std::uint64_t> resolve_parts(const SampleOptions& r, SamplerKind strata, const Tensor& tensor) {
  if (!uses(*r.sampler, "parts")) return {};
  const std::uint64_t most = std::min(max_parts, tensor.space().extent(largest_mode(tensor.space())));
  if (r.parts && *r.parts > most) {
    fail(ErrorKind::usage, "`parts`: there can be at most {} parts for shape {}, not {}", most,
         tensor.space().to_string(), *r.parts);
  }
  if (r.parts) return *r.parts;
  // Every part has at least one sample of each stratum.
  std::uint64_t smallest = *r.samples;
  if (r.nonzero_samples && *r.nonzero_samples > 0) smallest = std::min(smallest, *r.nonzero_samples);
  const bool with_zeros = r.nonzero_samples && strata != SamplerKind::exact_zeros;
  if (with_zeros && *r.nonzero_samples < *r.samples) smallest = std::min(smallest, *r.samples - *r.nonzero_samples);
  return default_parts(tensor.space(), *r.samples, smallest);
}

}  // namespace

SampleOptions resolve(const SampleOptions& options, const Tensor& tensor, const LossInfo& loss) {
  check_something_observed(tensor);
  SampleOptions r = options;
  r.sampler = options.sampler.value_or(default_sampler(options, tensor, loss));
  const SamplerKind kind = *r.sampler;
  if (kind == SamplerKind::strata && options.strata.empty()) {
    fail(ErrorKind::usage,
         "`sampler strata`: no stratum is given; add some, such as `stratum nonzeros` and `stratum zeros`");
  }
  const std::vector<OptionUser> users = sampler_users(kind);
  refuse_unused_fields("Sampling", options, SampleOptions{}, users);
  refuse_unused_fields("Importance sampling", options.importance, ImportanceOptions{}, users);

  if (const auto samples_of = info_of(kind).samples) {
    r.samples = samples_of(tensor, options);
  } else {
    const std::uint64_t asked = options.samples.value_or(default_samples(tensor));
    if (asked > max_samples) {
      fail(ErrorKind::usage, "`samples`: {} are more than the {} a batch can hold", asked, max_samples);
    }
    // More samples than cells add nothing: as many as there are, or the default where that is more.
    const double enough = std::max(tensor.observed(), static_cast<double>(default_samples(tensor)));
    r.samples = static_cast<double>(asked) > enough ? static_cast<std::uint64_t>(enough) : asked;
  }

  r.importance = resolve_importance(r, tensor, loss);

  const SparseTensor* sparse = tensor.sparse();
  const SamplerKind strata = kind == SamplerKind::importance ? importance_strata(tensor, loss, r) : kind;
  if (uses(strata, "nonzero-samples") && sparse != nullptr) {
    const bool given_means_something = sparse->listed() > 0 && sparse->zeros() > 0;
    if (!options.nonzero_samples || !given_means_something) {
      r.nonzero_samples = default_nonzero_samples(strata, *sparse, *r.samples);
    }
  } else if (options.nonzero_samples) {
    fail(ErrorKind::usage,
         "`nonzero-samples`: `sampler {}` does not divide its samples of a dense tensor; leave it out", word_of(kind));
  }

  r.parts = resolve_parts(r, strata, tensor);

  r.estimate_samples = options.estimate_samples.value_or(default_estimate_samples(tensor));
  if (*r.estimate_samples > max_samples) {
    fail(ErrorKind::usage, "`estimate-samples`: {} are more than the {} a batch can hold", *r.estimate_samples,
         max_samples);
  }
  return r;
}

SamplerKind importance_strata(const Tensor& tensor, const LossInfo& loss, const SampleOptions& options) {
  const SparseTensor* sparse = tensor.sparse();
  if (sparse == nullptr) return SamplerKind::uniform;
  const ImportanceZeros automatic = zeros_summable(*sparse, loss) ? ImportanceZeros::exact : ImportanceZeros::drawn;
  return options.importance.zeros.value_or(automatic) == ImportanceZeros::exact ? SamplerKind::exact_zeros
                                                                                : SamplerKind::stratified;
}

Split split_samples(const SparseTensor& tensor, const SampleOptions& options) {
  const std::uint64_t s = *options.samples;
  if (tensor.listed() == 0) return {0, s};
  if (tensor.zeros() == 0) return {s, 0};
  const std::uint64_t p = options.nonzero_samples.value_or(default_nonzero_samples(*options.sampler, tensor, s));
  if (s < 2)
    fail(ErrorKind::usage, "`samples`: nonzeros and zeros need at least one sample each, but samples is {}", s);
  if (p == 0 || p >= s) {
    fail(ErrorKind::usage, "`nonzero-samples`: {} of {} samples would leave {} without any; give between 1 and {}", p,
         s, p == 0 ? "nonzeros" : "zeros", s - 1);
  }
  return {p, s - p};
}

}  // namespace polyad
