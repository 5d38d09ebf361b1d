#pragma once
// How the entries of an iteration are drawn (docs/methods.md, docs/importance.md).

#include <polyad/fields.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace polyad {

/// Zeros of a sparse tensor under the sampler `importance`.
enum class ImportanceZeros { drawn, exact };
constexpr std::array<std::string_view, 2> words_of(ImportanceZeros) {
  return {"drawn", "exact"};
}

/// How the sampler `importance` follows the model.
struct ImportanceOptions {
  std::optional<ImportanceZeros> zeros;
  std::uint64_t refresh = 100;
  double uniform_share = 0.2;
  bool adaptive = true;

  friend bool operator==(const ImportanceOptions&, const ImportanceOptions&) = default;

  static auto fields() {
    using O = ImportanceOptions;
    return std::tuple{
        field("importance-zeros", &O::zeros,
              "zeros of a sparse tensor: drawn, or summed exactly as by exact-zeros; auto: exact where the loss allows "
              "it"),
        field(
            "importance-refresh", &O::refresh,
            "iterations after which densities are built again from the model (those of nonzeros less often where there "
            "are many: at least at the beginning of every epoch)",
            count_from(1)),
        field("importance-uniform", &O::uniform_share,
              "share of the draws that stay uniform; no weight exceeds its inverse times that of a uniform draw",
              within(0.01, 1)),
        field("importance-adaptive", &O::adaptive,
              "measure at every epoch what following the model gains, for nonzeros and for other cells, and draw "
              "uniformly where it does not pay"),
    };
  }
};

/// A position in the list of samplers. Names are for those that other code asks for; a sampler further down needs none.
enum class SamplerKind { uniform, stratified, semi_stratified, exact_zeros, importance, strata, exhaustive };
std::span<const std::string_view> words_of(SamplerKind);

/// Which cells an iteration looks at, and the fixed sample that estimates the loss.
struct SampleOptions {
  std::optional<SamplerKind> sampler;
  std::optional<std::uint64_t> samples;
  std::optional<std::uint64_t> nonzero_samples;
  std::vector<std::string> strata;
  std::optional<std::uint64_t> parts;
  std::optional<std::uint64_t> estimate_samples;
  std::uint64_t estimate_seed = 1;
  ImportanceOptions importance;  ///< a group of its own, not among the fields

  static auto fields() {
    return std::tuple{
        field("sampler", &SampleOptions::sampler,
              "how entries are drawn; auto: uniform for dense, exact-zeros for sparse where the loss allows it, "
              "importance otherwise (stratified above 20 million nonzeros)"),
        field("samples", &SampleOptions::samples,
              "entries drawn per iteration; auto: the sum of the dimensions, at least 1000 and of sparse data at most "
              "an eighth of the nonzeros",
              count_from(1)),
        field("nonzero-samples", &SampleOptions::nonzero_samples,
              "how many of them are nonzeros (sparse tensors); auto: half, or all with exact-zeros", count_from(0)),
        field("stratum", &SampleOptions::strata,
              "a stratum of the strata sampler, such as 'nonzeros:values=2..5' (2 <= x <= 5; '2..<5' leaves 5 out) or "
              "'zeros:box=1-10,*,*:samples=500'"),
        field("parts", &SampleOptions::parts,
              "ranges of the largest mode that are sampled separately, so that threads can share an iteration; auto: "
              "about one for 500 samples",
              count_from(1)),
        field("estimate-samples", &SampleOptions::estimate_samples,
              "entries in the fixed sample that estimates the loss; auto: 100000 dense, 200000 sparse", count_from(1)),
        field("estimate-seed", &SampleOptions::estimate_seed,
              "seed of the estimate's sample; equal seeds make runs comparable"),
    };
  }
};

/// Which cells a fit is not to see, so that it can be judged on them (hold_out in fit.hpp).
struct HoldoutOptions {
  std::string cells;       ///< "0.1", or "blocks:day=7"; empty: the fit sees all data
  std::uint64_t seed = 1;  ///< equal seeds hold out the same cells, whatever is fitted

  static auto fields() {
    using O = HoldoutOptions;
    return std::tuple{
        field("holdout", &O::cells,
              "cells that the fit does not see and is judged on: a share of all cells such as 0.1, zeros included, or "
              "'blocks:day=7': runs of 7 consecutive indices of the mode 'day' in a tenth of its fibres, with a margin "
              "of half a block on both sides ('blocks:day=7,share=0.2,margin=1')"),
        field("holdout-seed", &O::seed, "seed of the choice of held-out cells; equal seeds hold out the same cells"),
    };
  }
};

}  // namespace polyad
