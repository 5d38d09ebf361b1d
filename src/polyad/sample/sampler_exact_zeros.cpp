#include <polyad/base/error.hpp>
#include <polyad/sample/draws_sampler.hpp>
#include <polyad/sample/samplers.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace polyad {

namespace {

void check_exact_zeros(const SparseTensor& tensor, const LossInfo& loss, const SampleOptions& options) {
  const bool importance = *options.sampler == SamplerKind::importance;
  const std::string_view who = importance ? "importance-zeros exact" : "sampler exact-zeros";
  const std::string_view instead = importance ? "drawn" : "stratified";
  if (loss.zero_sum == ZeroSum::none) {
    fail(ErrorKind::usage, "{}: loss {} has no closed form for the sum over zeros; use {}", who, loss.name, instead);
  }
  if (!zeros_are_data(tensor)) {
    fail(ErrorKind::usage, "{}: unlisted cells are missing, so there are no zeros to sum; use {}", who,
         importance ? instead : "uniform");
  }
}

// Data and model have about the same sum, so that the share of the missing cells in all cells is also their share in the spread of
// the gradient: twice as many samples as that keep their part of it small, at the cost of a slightly larger batch.
std::uint64_t missing_samples(std::uint64_t samples, double share_of_cells) {
  return static_cast<std::uint64_t>(std::ceil(std::min(2 * share_of_cells, 1.0) * static_cast<double>(samples)));
}

constexpr std::array<std::string_view, 2> options_of_exact_zeros = {"nonzero-samples", "parts"};

}  // namespace

DrawsOfParts exact_zeros_draws(const Tensor& tensor, const LossInfo& loss, const SampleOptions& options) {
  const SparseTensor& sparse = *tensor.sparse();
  check_exact_zeros(sparse, loss, options);
  DrawsBuilder builder(tensor, options, 1, 0);
  builder.set_all_cells(sparse.zero_weight());
  std::string description = fmt::format("all {} zeros exactly", format_count(sparse.zeros()));
  if (sparse.listed() > 0) {
    const std::uint64_t p = options.nonzero_samples.value_or(*options.samples);
    if (p == 0) {
      fail(ErrorKind::usage, "`nonzero-samples`: `sampler exact-zeros` draws nothing but nonzeros; give it at least 1");
    }
    builder.add_listed(sparse, p, sparse.zero_weight());
    description = describe_listed(sparse, p) + " and " + description;
  }
  if (sparse.missing_cells() > 0) {
    const double missing = static_cast<double>(sparse.missing_cells());
    builder.add_missing(sparse, missing_samples(*options.samples, missing / tensor.space().cells()));
    description += fmt::format(" ({} missing cells taken out by samples)", format_count(missing));
  }
  return builder.described(std::move(description));
}

constinit const SamplerInfo exact_zeros_sampler = {
    .word = "exact-zeros",
    .sparse_only = true,
    .uses = options_of_exact_zeros,
    .make = [](const Tensor& tensor, const LossInfo& loss,
               const SampleOptions& options) { return make_draws_sampler(exact_zeros_draws(tensor, loss, options)); },
};

}  // namespace polyad
