// The samplers of the paper and exact-zeros, made of draws, one set a part (samplers.hpp).

#include <polyad/sample/counts.hpp>
#include <polyad/sample/part_counts.hpp>
#include <polyad/sample/parted_sampler.hpp>
#include <polyad/sample/samplers.hpp>
#include <polyad/sample/strata/allocate.hpp>

#include <algorithm>

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

namespace {

class Builder {
 public:
  Builder(const Tensor& tensor, const SampleOptions& options, double p, double q) {
    result_.modes = tensor.space().modes();
    result_.partition = make_partition(tensor, options.parts.value_or(1), p, q);
    result_.parts.resize(result_.partition.parts());
    counts_ = count_parts(tensor, result_.partition);
  }

  /// Adds p listed entries; with a correction v, their w0 = -(eta / p) v.
  void add_listed(const SparseTensor& tensor, std::uint64_t p, double correction = 0) {
    const auto shares = shares_of(p, sizes(&PartCount::listed), "nonzeros");
    for (std::size_t l = 0; l < shares.size(); ++l) {
      const auto [begin, end] = counts_[l].records;
      if (shares[l] > 0) result_.parts[l].emplace_back(ListedDraws(tensor, begin, end, shares[l], correction));
    }
    result_.with_w0 = correction != 0;
  }

  void add_zeros(const SparseTensor& tensor, Admit admit, std::uint64_t q) {
    const auto size = admit == Admit::zeros ? &PartCount::zeros : &PartCount::observed;
    const auto shares = shares_of(q, sizes(size), "zeros");
    for (std::size_t l = 0; l < shares.size(); ++l) {
      if (shares[l] == 0) continue;
      result_.parts[l].emplace_back(ZeroDraws(tensor, counts_[l].box, admit, counts_[l].*size, shares[l]));
    }
  }

  void add_looked_up(const SparseTensor& tensor, std::uint64_t s) {
    const auto shares = shares_of(s, sizes(&PartCount::observed), "cells");
    for (std::size_t l = 0; l < shares.size(); ++l) {
      if (shares[l] == 0) continue;
      result_.parts[l].emplace_back(CellDraws(tensor, counts_[l].box, counts_[l].observed, shares[l]));
    }
  }

  void add_dense(const DenseTensor& tensor, std::uint64_t s) {
    const auto shares = shares_of(s, sizes(&PartCount::observed), "cells");
    for (std::size_t l = 0; l < shares.size(); ++l) {
      if (shares[l] == 0) continue;
      const auto cells = static_cast<std::uint64_t>(counts_[l].observed);
      result_.parts[l].emplace_back(DenseDraws(tensor, counts_[l].box, ValueRange{}, cells, shares[l]));
    }
  }

  void set_all_cells(double c) { result_.all_cells = c; }

  PartedDraws described(std::string description) {
    result_.description = std::move(description);
    return std::move(result_);
  }

 private:
  std::vector<double> sizes(double PartCount::*member) const {
    std::vector<double> result;
    for (const PartCount& count : counts_) result.push_back(count.*member);
    return result;
  }

  PartedDraws result_;
  std::vector<PartCount> counts_;
};

std::string describe_listed(const SparseTensor& tensor, std::uint64_t p) {
  return describe_draws(p, static_cast<double>(tensor.listed()), listed_noun(tensor));
}

/// All samples from the listed records: what every sparse sampler comes to where no zeros are data.
PartedDraws listed_draws(const Tensor& tensor, const SampleOptions& options) {
  const SparseTensor& sparse = *tensor.sparse();
  Builder builder(tensor, options, 1, 0);
  builder.add_listed(sparse, *options.samples);
  return builder.described(describe_listed(sparse, *options.samples));
}

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
  if (tensor.missing_cells() > 0) {
    fail(ErrorKind::usage, "{}: {} cells are missing, but the closed sum covers every cell; use {}", who,
         format_count(static_cast<double>(tensor.missing_cells())), instead);
  }
}

}  // namespace

PartedDraws uniform_draws(const Tensor& tensor, const SampleOptions& options) {
  const std::uint64_t s = *options.samples;
  const SparseTensor* sparse = tensor.sparse();
  if (sparse != nullptr && !zeros_are_data(*sparse)) return listed_draws(tensor, options);
  Builder builder(tensor, options, 0, 1);
  if (sparse != nullptr) {
    builder.add_looked_up(*sparse, s);
  } else {
    builder.add_dense(*tensor.dense(), s);
  }
  return builder.described(describe_draws(s, tensor.observed(), "cells"));
}

PartedDraws stratified_draws(const Tensor& tensor, const SampleOptions& options) {
  const SparseTensor& sparse = *tensor.sparse();
  const auto [p, q] = split_samples(sparse, options);
  if (q == 0) return listed_draws(tensor, options);
  Builder builder(tensor, options, static_cast<double>(p), static_cast<double>(q));
  std::string description = describe_draws(q, sparse.zeros(), "zeros");
  if (p > 0) {
    builder.add_listed(sparse, p);
    description = describe_listed(sparse, p) + " and " + description;
  }
  builder.add_zeros(sparse, Admit::zeros, q);
  return builder.described(std::move(description));
}

PartedDraws semi_stratified_draws(const Tensor& tensor, const SampleOptions& options) {
  const SparseTensor& sparse = *tensor.sparse();
  const auto [p, q] = split_samples(sparse, options);
  if (q == 0) return listed_draws(tensor, options);
  Builder builder(tensor, options, static_cast<double>(p), static_cast<double>(q));
  std::string description = describe_draws(q, sparse.observed(), "zeros");
  if (p > 0) {
    builder.add_listed(sparse, p, sparse.zero_weight());
    description = describe_listed(sparse, p) + " and " + describe_draws(q, sparse.observed(), "cells taken as zeros");
  }
  builder.add_zeros(sparse, Admit::observed, q);
  return builder.described(std::move(description));
}

PartedDraws exact_zeros_draws(const Tensor& tensor, const LossInfo& loss, const SampleOptions& options) {
  const SparseTensor& sparse = *tensor.sparse();
  check_exact_zeros(sparse, loss, options);
  Builder builder(tensor, options, 1, 0);
  builder.set_all_cells(sparse.zero_weight());
  std::string description = fmt::format("all {} zeros exactly", format_count(sparse.zeros()));
  if (sparse.listed() > 0) {
    const std::uint64_t p = options.nonzero_samples.value_or(*options.samples);
    if (p == 0) {
      fail(ErrorKind::usage, "nonzero-samples: sampler exact-zeros draws nothing but nonzeros; give it at least 1");
    }
    builder.add_listed(sparse, p, sparse.zero_weight());
    description = describe_listed(sparse, p) + " and " + description;
  }
  return builder.described(std::move(description));
}

std::unique_ptr<Sampler> make_uniform(const Tensor& tensor, const SampleOptions& options) {
  return make_parted(SamplerKind::uniform, uniform_draws(tensor, options));
}

std::unique_ptr<Sampler> make_stratified(const Tensor& tensor, const SampleOptions& options) {
  return make_parted(SamplerKind::stratified, stratified_draws(tensor, options));
}

std::unique_ptr<Sampler> make_semi_stratified(const Tensor& tensor, const SampleOptions& options) {
  return make_parted(SamplerKind::semi_stratified, semi_stratified_draws(tensor, options));
}

std::unique_ptr<Sampler> make_exact_zeros(const Tensor& tensor, const LossInfo& loss, const SampleOptions& options) {
  return make_parted(SamplerKind::exact_zeros, exact_zeros_draws(tensor, loss, options));
}

}  // namespace polyad
