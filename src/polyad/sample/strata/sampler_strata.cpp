#include <polyad/base/error.hpp>
#include <polyad/base/text.hpp>
#include <polyad/sample/draws_sampler.hpp>
#include <polyad/sample/samplers.hpp>
#include <polyad/sample/strata/strata.hpp>

#include <array>

namespace polyad {

namespace {

/// Samples of each stratum: what it states; the rest shared in proportion to size; 0 for empty ones.
std::vector<std::uint64_t> samples_of(const std::vector<StratumSpec>& specs, const std::vector<double>& sizes,
                                      std::uint64_t samples) {
  std::vector<std::uint64_t> result(specs.size(), 0);
  std::vector<std::size_t> sharing;
  std::vector<double> sharing_sizes;
  std::uint64_t stated = 0;
  for (std::size_t l = 0; l < specs.size(); ++l) {
    if (sizes[l] == 0) continue;
    if (specs[l].samples) {
      result[l] = *specs[l].samples;
      stated += result[l];
    } else {
      sharing.push_back(l);
      sharing_sizes.push_back(sizes[l]);
    }
  }
  if (sharing.empty()) return result;
  if (samples < stated + sharing.size()) {
    fail(ErrorKind::usage,
         "`samples`: {} do not suffice for the strata, which state {} and of which {} more need at least one "
         "each; give "
         "at least {}",
         samples, stated, sharing.size(), stated + sharing.size());
  }
  const std::vector<std::uint64_t> shares = divide_samples(samples - stated, sharing_sizes);
  for (std::size_t i = 0; i < sharing.size(); ++i) result[sharing[i]] = shares[i];
  return result;
}

Draws make_draws(const Tensor& tensor, const StratumSpec& spec, StratumCells& cells, std::size_t count) {
  switch (spec.of) {
    case StratumSpec::Of::nonzeros:
      return ListedDraws(*tensor.sparse(), std::move(cells.records), count);
    case StratumSpec::Of::zeros:
      return ZeroDraws(*tensor.sparse(), spec.box, Admit::zeros, cells.size, count);
    case StratumSpec::Of::cells:
      break;
  }
  return DenseDraws(*tensor.dense(), spec.box, spec.values, static_cast<std::uint64_t>(cells.size), count);
}

std::unique_ptr<Sampler> make_strata(const Tensor& tensor, const LossInfo&, const SampleOptions& options) {
  std::vector<StratumSpec> specs;
  for (const std::string& text : options.strata) specs.push_back(parse_stratum(text, tensor.space()));
  std::vector<StratumCells> cells = cells_of_strata(tensor, specs);
  std::vector<double> sizes;
  for (const StratumCells& stratum : cells) sizes.push_back(stratum.size);
  const std::vector<std::uint64_t> samples = samples_of(specs, sizes, *options.samples);

  DrawsOfParts draws;
  draws.modes = tensor.space().modes();
  draws.partition = make_partition(tensor, 1, 1, 1);
  std::vector<Draws>& strata = draws.parts.emplace_back();
  std::vector<std::string> filled;
  std::vector<std::string> empty;
  std::uint64_t total = 0;
  for (std::size_t l = 0; l < specs.size(); ++l) {
    if (samples[l] == 0) {
      empty.push_back(fmt::format("'{}'", specs[l].text));
      continue;
    }
    total += samples[l];
    if (samples[l] > max_samples || total > max_samples) {
      fail(ErrorKind::usage, "`samples`: the strata ask for more than the {} a batch can hold", max_samples);
    }
    filled.push_back(describe_draws(samples[l], sizes[l], fmt::format("in '{}'", specs[l].text)));
    strata.push_back(make_draws(tensor, specs[l], cells[l], samples[l]));
  }
  draws.description = joined(filled, ", ");
  if (!empty.empty()) draws.description += fmt::format("; skipped as empty: {}", joined(empty, ", "));
  return make_draws_sampler(std::move(draws));
}

/// Strata may state their own samples: where all do, `samples` is their sum; where some do, the rest is shared.
std::uint64_t samples_of_strata(const Tensor& tensor, const SampleOptions& options) {
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

constexpr std::array<std::string_view, 1> options_of_strata = {"stratum"};

}  // namespace

constinit const SamplerInfo strata_sampler = {
    .word = "strata",
    .uses = options_of_strata,
    .samples = samples_of_strata,
    .make = make_strata,
};

}  // namespace polyad
