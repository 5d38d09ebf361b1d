#pragma once
// A sampler made of draws: each part of the partition has a list of strata, and each stratum is filled by draws of its own
// kind. All samplers but the exhaustive one are made of these; DrawsBuilder puts them together.

#include <polyad/sample/draws/dense_draws.hpp>
#include <polyad/sample/draws/listed_draws.hpp>
#include <polyad/sample/draws/missing_draws.hpp>
#include <polyad/sample/draws/zero_draws.hpp>
#include <polyad/sample/partition.hpp>
#include <polyad/sample/sampler.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace polyad {

using Draws = std::variant<ListedDraws, MissingDraws, ZeroDraws, DenseDraws, CellDraws>;

/// What a batch is drawn from: for each part of the partition its strata.
struct DrawsOfParts {
  std::string description;  ///< "500 of 524,468 nonzeros and 500 of 149,475,532 zeros"
  std::size_t modes = 0;
  Partition partition;
  std::vector<std::vector<Draws>> parts;  ///< zeros last within a part
  bool with_w0 = false;
  double all_cells = 0;  ///< of the whole batch
};

std::unique_ptr<Sampler> make_draws_sampler(DrawsOfParts draws);

/// What the samplers of these names are made of (samplers.hpp); importance follows the model within them.
DrawsOfParts uniform_draws(const Tensor& tensor, const SampleOptions& options);
DrawsOfParts stratified_draws(const Tensor& tensor, const SampleOptions& options);
DrawsOfParts exact_zeros_draws(const Tensor& tensor, const LossInfo& loss, const SampleOptions& options);

/// Samples of a stratum.
std::size_t count_of(const Draws& draws);
/// Shares of `samples` for strata of these sizes, one per part, in proportion; an empty one gets none. A usage error where they
/// do not suffice; `what` names them.
std::vector<std::uint64_t> shares_of(std::uint64_t samples, const std::vector<double>& sizes, std::string_view what);

/// Puts the draws of a sampler together, for all parts of the partition.
class DrawsBuilder {
 public:
  /// Listed entries and other cells are drawn in the proportion p to q.
  DrawsBuilder(const Tensor& tensor, const SampleOptions& options, double p, double q);

  /// Adds p listed entries; with a correction v, their w0 = -(eta / p) v.
  void add_listed(const SparseTensor& tensor, std::uint64_t p, double correction = 0);
  void add_zeros(const SparseTensor& tensor, Admit admit, std::uint64_t q);
  /// Adds missing cells, of which there must be some, to take back from a sum over every cell: about `q` of them, but at least
  /// one for each part that has any.
  void add_missing(const SparseTensor& tensor, std::uint64_t q);
  /// Cells of a sparse tensor whose value is looked up.
  void add_looked_up(const SparseTensor& tensor, std::uint64_t s);
  void add_dense(const DenseTensor& tensor, std::uint64_t s);
  void set_all_cells(double c) { result_.all_cells = c; }

  DrawsOfParts described(std::string description);

 private:
  std::vector<double> sizes(double PartCount::*member) const;

  DrawsOfParts result_;
  std::vector<PartCount> counts_;
};

/// "500 of 524,468 nonzeros".
std::string describe_listed(const SparseTensor& tensor, std::uint64_t p);
/// All samples from the listed records: what every sparse sampler comes to where no zeros are data.
DrawsOfParts listed_draws(const Tensor& tensor, const SampleOptions& options);

/// Divides samples in proportion to the sizes (all positive) by largest remainders, but at least one each: strata that would
/// get less take theirs first. `total` must be at least the number of strata.
std::vector<std::uint64_t> divide_samples(std::uint64_t total, std::span<const double> sizes);

}  // namespace polyad
