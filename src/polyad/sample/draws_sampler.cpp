#include <polyad/sample/draws_sampler.hpp>

#include <polyad/base/error.hpp>
#include <polyad/sample/samplers.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace polyad {

std::size_t count_of(const Draws& draws) {
  return std::visit([](const auto& d) { return d.count(); }, draws);
}

namespace {

class DrawsSampler final : public Sampler {
 public:
  explicit DrawsSampler(DrawsOfParts draws) : draws_(std::move(draws)) {
    for (const auto& part : draws_.parts) {
      Sizes sizes;
      for (const Draws& stratum : part) {
        sizes.samples += count_of(stratum);
        if (!std::holds_alternative<ZeroDraws>(stratum)) sizes.zeros_from = sizes.samples;
      }
      sizes_.push_back(sizes);
    }
  }

  const Partition& partition() const override { return draws_.partition; }
  double all_cells() const override { return draws_.all_cells; }
  std::string describe() const override { return draws_.description; }

  void draw_part(const RandomStream& stream, std::uint64_t draw, std::size_t part, Batch& batch) const override {
    batch.resize(draws_.modes, sizes_[part].samples, draws_.with_w0);
    batch.all_cells = 0;
    batch.zeros_from = sizes_[part].zeros_from;
    const DrawKey key{stream, draw, static_cast<std::uint32_t>(part)};
    std::size_t first = 0;
    for (const Draws& stratum : draws_.parts[part]) {
      std::visit([&](const auto& draws) { draws.fill(key, first, batch); }, stratum);
      first += count_of(stratum);
    }
  }

 private:
  struct Sizes {
    std::size_t samples = 0;
    std::size_t zeros_from = 0;
  };

  DrawsOfParts draws_;
  std::vector<Sizes> sizes_;
};

}  // namespace

std::unique_ptr<Sampler> make_draws_sampler(DrawsOfParts draws) {
  return std::make_unique<DrawsSampler>(std::move(draws));
}

std::vector<std::uint64_t> shares_of(std::uint64_t samples, const std::vector<double>& sizes, std::string_view what) {
  std::vector<std::size_t> filled;
  std::vector<double> filled_sizes;
  for (std::size_t l = 0; l < sizes.size(); ++l) {
    if (sizes[l] == 0) continue;
    filled.push_back(l);
    filled_sizes.push_back(sizes[l]);
  }
  if (samples < filled.size()) {
    fail(ErrorKind::usage, "`parts`: {} parts need at least one sample of {} each, but there are {}; give fewer parts",
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
  result_.with_w0 |= correction != 0;
}

void DrawsBuilder::add_missing(const SparseTensor& tensor, std::uint64_t q) {
  const std::vector<std::vector<std::uint32_t>> numbers = missing_by_part(tensor, result_.partition);
  std::vector<double> all;
  for (const auto& of_part : numbers) all.push_back(static_cast<double>(of_part.size()));
  const auto filled = static_cast<std::uint64_t>(std::ranges::count_if(all, [](double n) { return n > 0; }));
  const auto shares = shares_of(std::max(q, filled), all, "missing cells");
  for (std::size_t l = 0; l < shares.size(); ++l) {
    if (shares[l] > 0) result_.parts[l].emplace_back(MissingDraws(tensor, numbers[l], shares[l]));
  }
  result_.with_w0 = true;
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

DrawsOfParts DrawsBuilder::described(std::string description) {
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

DrawsOfParts listed_draws(const Tensor& tensor, const SampleOptions& options) {
  const SparseTensor& sparse = *tensor.sparse();
  DrawsBuilder builder(tensor, options, 1, 0);
  builder.add_listed(sparse, *options.samples);
  return builder.described(describe_listed(sparse, *options.samples));
}

std::vector<std::uint64_t> divide_samples(std::uint64_t total, std::span<const double> sizes) {
  std::vector<std::uint64_t> share(sizes.size(), 0);
  std::vector<std::size_t> open(sizes.size());
  std::iota(open.begin(), open.end(), std::size_t{0});
  const auto quota = [&](std::size_t l, double all) { return sizes[l] / all * static_cast<double>(total); };
  const auto open_size = [&] {
    return std::accumulate(open.begin(), open.end(), 0.0, [&](double sum, std::size_t l) { return sum + sizes[l]; });
  };

  // Each round settles strata whose quota is below one; the others' quotas shrink, so look again until none
  // is.
  for (bool settled = true; settled;) {
    const double all = open_size();
    const auto small =
        std::stable_partition(open.begin(), open.end(), [&](std::size_t l) { return quota(l, all) >= 1; });
    settled = small != open.end();
    for (auto at = small; at != open.end(); ++at) {
      share[*at] = 1;
      --total;
    }
    open.erase(small, open.end());
  }

  const double all = open_size();
  std::vector<std::pair<double, std::size_t>> remainders;
  std::uint64_t left = total;
  for (const std::size_t l : open) {
    const double exact = quota(l, all);
    share[l] = std::min(left, static_cast<std::uint64_t>(exact));
    left -= share[l];
    remainders.emplace_back(-(exact - std::floor(exact)), l);
  }
  std::sort(remainders.begin(), remainders.end());
  for (std::size_t i = 0; left > 0; ++i, --left) ++share[remainders[i % remainders.size()].second];
  return share;
}

}  // namespace polyad
