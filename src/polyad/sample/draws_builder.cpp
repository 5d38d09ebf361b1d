#include <polyad/base/error.hpp>
#include <polyad/sample/draws_builder.hpp>

#include <polyad/sample/counts.hpp>
#include <polyad/sample/strata/allocate.hpp>

#include <utility>

namespace polyad {

std::vector<std::uint64_t> shares_of(std::uint64_t samples, const std::vector<double>& sizes, std::string_view what) {
  std::vector<std::size_t> filled;
  std::vector<double> filled_sizes;
  for (std::size_t l = 0; l < sizes.size(); ++l) {
    if (sizes[l] == 0) continue;
    filled.push_back(l);
    filled_sizes.push_back(sizes[l]);
  }
  if (samples < filled.size()) {
    fail(ErrorKind::usage, "parts: {} parts need at least one sample of {} each, but there are {}; give fewer parts",
         filled.size(), what, samples);
  }
  std::vector<std::uint64_t> shares(sizes.size(), 0);
  if (filled.empty()) return shares;
  const std::vector<std::uint64_t> divided = divide_samples(samples, filled_sizes);
  for (std::size_t i = 0; i < filled.size(); ++i) shares[filled[i]] = divided[i];
  return shares;
}

DrawsBuilder::DrawsBuilder(const Tensor& tensor, const SampleOptions& options, double p, double q) {
  result_.modes = tensor.space().modes();
  result_.partition = make_partition(tensor, options.parts.value_or(1), p, q);
  result_.parts.resize(result_.partition.parts());
  counts_ = count_parts(tensor, result_.partition);
}

void DrawsBuilder::add_listed(const SparseTensor& tensor, std::uint64_t p, double correction) {
  const auto shares = shares_of(p, sizes(&PartCount::listed), "nonzeros");
  for (std::size_t l = 0; l < shares.size(); ++l) {
    const auto [begin, end] = counts_[l].records;
    if (shares[l] > 0) result_.parts[l].emplace_back(ListedDraws(tensor, begin, end, shares[l], correction));
  }
  result_.with_w0 = correction != 0;
}

void DrawsBuilder::add_zeros(const SparseTensor& tensor, Admit admit, std::uint64_t q) {
  const auto size = admit == Admit::zeros ? &PartCount::zeros : &PartCount::observed;
  const auto shares = shares_of(q, sizes(size), "zeros");
  for (std::size_t l = 0; l < shares.size(); ++l) {
    if (shares[l] == 0) continue;
    result_.parts[l].emplace_back(ZeroDraws(tensor, counts_[l].box, admit, counts_[l].*size, shares[l]));
  }
}

void DrawsBuilder::add_looked_up(const SparseTensor& tensor, std::uint64_t s) {
  const auto shares = shares_of(s, sizes(&PartCount::observed), "cells");
  for (std::size_t l = 0; l < shares.size(); ++l) {
    if (shares[l] == 0) continue;
    result_.parts[l].emplace_back(CellDraws(tensor, counts_[l].box, counts_[l].observed, shares[l]));
  }
}

void DrawsBuilder::add_dense(const DenseTensor& tensor, std::uint64_t s) {
  const auto shares = shares_of(s, sizes(&PartCount::observed), "cells");
  for (std::size_t l = 0; l < shares.size(); ++l) {
    if (shares[l] == 0) continue;
    const auto cells = static_cast<std::uint64_t>(counts_[l].observed);
    result_.parts[l].emplace_back(DenseDraws(tensor, counts_[l].box, ValueRange{}, cells, shares[l]));
  }
}

PartedDraws DrawsBuilder::described(std::string description) {
  result_.description = std::move(description);
  return std::move(result_);
}

std::vector<double> DrawsBuilder::sizes(double PartCount::*member) const {
  std::vector<double> result;
  for (const PartCount& count : counts_) result.push_back(count.*member);
  return result;
}

std::string describe_listed(const SparseTensor& tensor, std::uint64_t p) {
  return describe_draws(p, static_cast<double>(tensor.listed()), listed_noun(tensor));
}

PartedDraws listed_draws(const Tensor& tensor, const SampleOptions& options) {
  const SparseTensor& sparse = *tensor.sparse();
  DrawsBuilder builder(tensor, options, 1, 0);
  builder.add_listed(sparse, *options.samples);
  return builder.described(describe_listed(sparse, *options.samples));
}

}  // namespace polyad
