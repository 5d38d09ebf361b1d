#include <polyad/sample/record_draws.hpp>

#include <polyad/sample/alias_table.hpp>
#include <polyad/sample/cell_sums.hpp>
#include <polyad/sample/listed_draws.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace polyad {

namespace {

// Records worked on at a time.
constexpr std::size_t records_a_block = 64;

// A record whose gradient is huge for the model it was sized for would take all draws: sizes count up to this many means.
constexpr double most_means = 100;

// The sum of of(h), in a fixed number of partial sums that fit vectors.
template <class Of>
double sum_over(std::span<const float> sizes, const Of& of) {
  constexpr std::size_t lanes = 8;
  std::array<double, lanes> sums{};
  std::size_t i = 0;
  for (; i + lanes <= sizes.size(); i += lanes) {
    for (std::size_t c = 0; c < lanes; ++c) sums[c] += of(sizes[i + c]);
  }
  for (; i < sizes.size(); ++i) sums[0] += of(sizes[i]);
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

}  // namespace

void record_sizes(const SparseTensor& tensor, const Factors& model, const Loss& loss, double correction,
                  const RecordRange& range, float* sizes) {
  using Numbers = std::array<double, records_a_block>;
  const Records& records = tensor.records();
  const std::size_t d = records.modes();
  const CellSums sums = cell_sums(model.modes(), model.stride());
  CellRows rows(model);
  std::array<std::array<Index, records_a_block>, max_modes> index;
  for (std::size_t k = 0; k < d; ++k) rows.index[k] = index[k].data();
  constexpr Numbers zeros{};
  alignas(cache_line) Numbers x, m, squares, g, g0;
  for (std::size_t done = 0; done < range.count; done += records_a_block) {
    const std::size_t n = std::min(records_a_block, range.count - done);
    const auto record = [&](std::size_t t) { return range.begin + (done + t) * range.step; };
    for (std::size_t t = 0; t < n; ++t) {
      const Index* cell = records.index(record(t));
      for (std::size_t k = 0; k < d; ++k) index[k][t] = cell[k];
      x[t] = records.value(record(t));
    }
    sums.sizes(rows, 0, n, m.data(), squares.data());
    loss.derivatives(n, x.data(), m.data(), g.data());
    if (records.weighted()) {
      for (std::size_t t = 0; t < n; ++t) g[t] *= records.weight(record(t));
    }
    if (correction != 0) {
      loss.derivatives(n, zeros.data(), m.data(), g0.data());
      for (std::size_t t = 0; t < n; ++t) g[t] -= correction * g0[t];
    }
    constexpr double most = std::numeric_limits<float>::max();
    for (std::size_t t = 0; t < n; ++t) {
      const double size = std::abs(g[t]) * std::sqrt(squares[t]);
      sizes[done + t] = static_cast<float>(size < most ? size : most);  // NaN is not
    }
  }
}

Lift lift_sizes(std::span<float> sizes, double uniform_share) {
  const auto n = static_cast<double>(sizes.size());
  Lift lift;
  lift.squares = sum_over(sizes, [](double h) { return h * h; });
  const double cap = most_means / n * sum_over(sizes, [](double h) { return h; });
  lift.mass = sum_over(sizes, [cap](double h) { return std::min(h, cap); });
  const double scale = lift.mass > 0 ? (1 - uniform_share) * n / lift.mass : 0;
  const double uniform = lift.mass > 0 ? uniform_share : 1;
  const auto u = [=](double h) { return uniform + scale * std::min(h, cap); };
  lift.weighted = sum_over(sizes, [&](double h) { return h * h / u(h); });
  for (float& h : sizes) h = static_cast<float>(u(h));
  return lift;
}

RecordDraws::RecordDraws(const SparseTensor& tensor, std::size_t begin, std::span<const float> u, double correction)
    : tensor_(&tensor), begin_(begin), correction_(correction), buckets_(u.size()) {
  sweep_alias_table(
      u.size(), [&](std::size_t i) { return static_cast<double>(u[i]); },
      [&](std::size_t bucket, double share, std::size_t alias) {
        buckets_[bucket] = {threshold_of(share), static_cast<std::uint32_t>(alias), 1 / u[bucket], 1 / u[alias]};
      });
}

void RecordDraws::fill(const DrawKey& key, std::size_t first, std::size_t count, Batch& batch) const {
  const double eta = static_cast<double>(buckets_.size());
  const double eta_over_p = eta / static_cast<double>(count);
  const Records& records = tensor_->records();
  const std::array<detail::DrawnMode, 2> numbers = {
      {{0, static_cast<std::uint32_t>(buckets_.size()), 0, true}, {0, coins, 2, false}}};
  std::array<Index, records_a_block> bucket;
  std::array<Index, records_a_block> coin;
  std::array<std::size_t, records_a_block> record;
  std::array<float, records_a_block> weight;
  const std::array<Index*, 2> out = {bucket.data(), coin.data()};
  for (std::size_t at = first; at < first + count; at += records_a_block) {
    const std::size_t n = std::min(records_a_block, first + count - at);
    const detail::DrawnRange range{key.draw, key.part, static_cast<std::uint32_t>(at), 0, 1, n};
    detail::draw_indices(key.stream, range, numbers, out.data());
    // Neither buckets nor records are likely in a cache: all are asked for before the first is read.
    for (std::size_t t = 0; t < n; ++t) __builtin_prefetch(&buckets_[bucket[t]]);
    for (std::size_t t = 0; t < n; ++t) {
      const Bucket& b = buckets_[bucket[t]];
      const bool own = coin[t] < b.threshold;
      record[t] = begin_ + (own ? bucket[t] : b.alias);
      weight[t] = own ? b.own_weight : b.alias_weight;
      __builtin_prefetch(records.index(record[t]));
    }
    for (std::size_t t = 0; t < n; ++t) {
      const double scale = eta_over_p * weight[t];
      put_record(records, record[t], scale, at + t, batch);
      if (!batch.w0.empty()) batch.w0[at + t] = -scale * correction_;
    }
  }
}

}  // namespace polyad
