#include <polyad/base/error.hpp>
#include <polyad/fields.hpp>
#include <polyad/sample/counts.hpp>
#include <polyad/sample/defaults.hpp>
#include <polyad/sample/samplers.hpp>
#include <polyad/sample/strata/stratum_spec.hpp>
#include <polyad/tensor/group_records.hpp>

#include <algorithm>

namespace polyad {

namespace {

bool zeros_summable(const SparseTensor& tensor, const LossInfo& loss) {
  return zeros_are_data(tensor) && loss.zero_sum != ZeroSum::none && tensor.missing_cells() == 0;
}

// Following the model needs tables of about 32 bytes a nonzero for every start that runs, made anew every epoch.
constexpr std::uint64_t most_followed = 20'000'000;

SamplerKind default_sampler(const SampleOptions& options, const Tensor& tensor, const LossInfo& loss) {
  if (!options.strata.empty()) return SamplerKind::strata;
  const SparseTensor* sparse = tensor.sparse();
  if (sparse == nullptr || !zeros_are_data(*sparse)) return SamplerKind::uniform;
  if (zeros_summable(*sparse, loss)) return SamplerKind::exact_zeros;
  return sparse->listed() <= most_followed ? SamplerKind::importance : SamplerKind::stratified;
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

/// Strata may state their own samples: where all do, `samples` is their sum; where some do, the rest is
/// shared.
std::uint64_t strata_samples(const SampleOptions& options, const Tensor& tensor) {
  std::uint64_t stated = 0;
  std::uint64_t unstated = 0;
  for (const std::string& text : options.strata) {
    const StratumSpec spec = parse_stratum(text, tensor.space());
    stated += spec.samples.value_or(0);
    unstated += spec.samples ? 0 : 1;
  }
  if (unstated > 0) return options.samples.value_or(std::max(default_samples(tensor), stated + unstated));
  if (options.samples && *options.samples != stated) {
    fail(ErrorKind::usage, "`samples`: {} asked for, but the strata state {} in all; leave samples out",
         *options.samples, stated);
  }
  return stated;
}

std::uint64_t exhaustive_samples(const SampleOptions& options, const Tensor& tensor) {
  const double observed = tensor.observed();
  if (options.samples && static_cast<double>(*options.samples) != observed) {
    fail(ErrorKind::usage,
         "`samples`: `sampler exhaustive` takes every one of the {} observed cells; leave samples out",
         format_count(observed));
  }
  return observed < 0x1p63 ? static_cast<std::uint64_t>(observed) : std::uint64_t{1} << 63;
}

/// None where the sampler has no parts. `r` is resolved but for them; `strata` is the sampler whose strata are drawn from.
std::optional<std::uint64_t> resolve_parts(const SampleOptions& r, SamplerKind strata, const Tensor& tensor) {
  if (*r.sampler == SamplerKind::strata || *r.sampler == SamplerKind::exhaustive) {
    return {};
  }
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

  if (kind == SamplerKind::strata) {
    r.samples = strata_samples(options, tensor);
  } else if (kind == SamplerKind::exhaustive) {
    r.samples = exhaustive_samples(options, tensor);
  } else {
    const std::uint64_t asked = options.samples.value_or(default_samples(tensor));
    if (asked > max_samples) {
      fail(ErrorKind::usage, "`samples`: {} are more than the {} a batch can hold", asked, max_samples);
    }
    // More samples than cells tell nothing new: as many as there are, or what would be drawn unasked.
    const double enough = std::max(tensor.observed(), static_cast<double>(default_samples(tensor)));
    r.samples = static_cast<double>(asked) > enough ? static_cast<std::uint64_t>(enough) : asked;
  }

  r.importance = resolve_importance(r, tensor, loss);

  const SparseTensor* sparse = tensor.sparse();
  const SamplerKind strata = kind == SamplerKind::importance ? importance_strata(tensor, loss, r) : kind;
  const bool divides =
      strata == SamplerKind::stratified || strata == SamplerKind::semi_stratified || strata == SamplerKind::exact_zeros;
  if (divides && sparse != nullptr) {
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
