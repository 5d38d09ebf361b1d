#pragma once
// A sampler made of draws: every part of a batch is a list of strata, each filled by draws of its own kind. All samplers
// but the exhaustive one are made of these (sampler_*.cpp, with the help of draws_builder.hpp).

#include <polyad/sample/draws/cell_draws.hpp>
#include <polyad/sample/draws/dense_draws.hpp>
#include <polyad/sample/draws/listed_draws.hpp>
#include <polyad/sample/draws/zero_draws.hpp>
#include <polyad/sample/sampler.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace polyad {

using Draws = std::variant<ListedDraws, ZeroDraws, DenseDraws, CellDraws>;

struct PartedDraws {
  std::string description;  ///< "500 of 524,468 nonzeros and 500 of 149,475,532 zeros"
  std::size_t modes = 0;
  Partition partition;
  std::vector<std::vector<Draws>> parts;  ///< zeros last within a part
  bool with_w0 = false;
  double all_cells = 0;  ///< of the whole batch
};

std::unique_ptr<Sampler> make_parted(SamplerKind kind, PartedDraws draws);

/// What the samplers of these names are made of (samplers.hpp); importance follows the model within them.
PartedDraws uniform_draws(const Tensor& tensor, const SampleOptions& options);
PartedDraws stratified_draws(const Tensor& tensor, const SampleOptions& options);
PartedDraws exact_zeros_draws(const Tensor& tensor, const LossInfo& loss, const SampleOptions& options);

/// Samples of a stratum.
std::size_t count_of(const Draws& draws);
/// Shares of `samples` for strata of these sizes, one a part, in proportion; an empty one gets none. A usage error where they
/// do not suffice; `what` names them.
std::vector<std::uint64_t> shares_of(std::uint64_t samples, const std::vector<double>& sizes, std::string_view what);

}  // namespace polyad
