#include <polyad/sample/importance/record_draws.hpp>

#include <polyad/base/parallel.hpp>
#include <polyad/kernel/sampled_blocks.hpp>
#include <polyad/sample/draws/listed_draws.hpp>
#include <polyad/sample/importance/cell_sums.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

namespace polyad {

namespace {

// Records worked on at a time.
constexpr std::size_t records_per_block = 64;

// A record whose gradient is huge for the model it was sized for would take all draws: sizes count up to this many means.
constexpr double most_means = 100;

// Slots for a record of mean size.
constexpr double mean_slots = 4;

// Slots that are written without asking how many a record has.
constexpr std::size_t written_at_once = 4;

// Bits for the number of one of n records, and what fits the rest of a slot.
unsigned bits_for(std::size_t n) {
  return static_cast<unsigned>(std::bit_width(n - 1));
}
std::int32_t most_slots(std::size_t n) {
  constexpr std::int64_t most = std::numeric_limits<std::uint16_t>::max();
  return static_cast<std::int32_t>(std::min(most, (std::int64_t{1} << (32 - bits_for(n))) - 1));
}

// The sum of of(i) for i below n, in a fixed number of partial sums that fit vectors.
template <class Of>
double sum_below(std::size_t n, const Of& of) {
  constexpr std::size_t lanes = 8;
  std::array<double, lanes> sums{};
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    for (std::size_t c = 0; c < lanes; ++c) sums[c] += of(i + c);
  }
  for (; i < n; ++i) sums[0] += of(i);
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

}  // namespace

void record_sizes(const SparseTensor& tensor, const Factors& model, const Loss& loss, double correction,
                  const RecordRange& range, float* sizes) {
  using Numbers = std::array<double, records_per_block>;
  const Records& records = tensor.records();
  const std::size_t d = records.modes();
  const CellSums sums = cell_sums(model.modes(), model.stride());
  const bool weighted = records.weighted();
  CellRows rows(model);
  std::array<std::array<Index, records_per_block>, max_modes> index;
  for (std::size_t k = 0; k < d; ++k) rows.index[k] = index[k].data();
  alignas(cache_line) Numbers x, m, squares, g;
  for (std::size_t done = 0; done < range.count; done += records_per_block) {
    const std::size_t n = std::min(records_per_block, range.count - done);
    const auto record = [&](std::size_t t) { return range.begin + (done + t) * range.step; };
    for (std::size_t t = 0; t < n; ++t) {
      const Index* cell = records.index(record(t));
      for (std::size_t k = 0; k < d; ++k) index[k][t] = cell[k];
      x[t] = records.value(record(t));
    }
    sums.sizes(rows, 0, n, m.data(), squares.data());
    const auto weigh = [&](std::size_t t, double at) { return weighted ? at * records.weight(record(t)) : at; };
    const auto zeros = [&](std::size_t) { return -correction; };
    weighted_derivatives(loss, n, x.data(), m.data(), correction != 0, weigh, zeros, g.data());
    constexpr double most = std::numeric_limits<float>::max();
    for (std::size_t t = 0; t < n; ++t) {
      const double size = std::abs(g[t]) * std::sqrt(squares[t]);
      sizes[done + t] = static_cast<float>(size < most ? size : most);  // NaN is not
    }
  }
}

SlotsOfRecords slots_of(std::span<const float> sizes, double uniform_share, const RecordMemory& memory) {
  const std::size_t n = sizes.size();
  const float* const h = sizes.data();
  SlotsOfRecords result;
  result.slots = memory.slots->take(n);
  std::uint16_t* const slots = result.slots->data();
  const double cap = most_means / static_cast<double>(n) * sum_below(n, [&](std::size_t i) { return h[i]; });
  result.mass = sum_below(n, [&](std::size_t i) { return std::min<double>(h[i], cap); });
  const bool sized = result.mass > 0;
  const double scale = sized ? mean_slots * (1 - uniform_share) * static_cast<double>(n) / result.mass : 0;
  const double uniform = mean_slots * (sized ? uniform_share : 1) + 0.5;  // and half, for rounding
  const std::int32_t most = most_slots(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto wanted = static_cast<std::int32_t>(uniform + scale * std::min<double>(h[i], cap));
    slots[i] = static_cast<std::uint16_t>(std::clamp(wanted, 1, most));
  }
  for (std::size_t i = 0; i < n; ++i) result.total += slots[i];
  const auto square = [&](std::size_t i) { return static_cast<double>(h[i]) * h[i]; };
  result.uniform = static_cast<double>(n) * sum_below(n, square);
  result.followed =
      static_cast<double>(result.total) * sum_below(n, [&](std::size_t i) { return square(i) / slots[i]; });
  return result;
}

RecordDraws::RecordDraws(const SparseTensor& tensor, std::size_t begin, const SlotsOfRecords& records,
                         double correction, const RecordMemory& memory)
    : tensor_(&tensor),
      begin_(begin),
      correction_(correction),
      total_(records.total),
      record_bits_(bits_for(records.slots->size())) {
  const auto table = memory.tables->take(total_ + written_at_once);
  const std::uint16_t* const slots = records.slots->data();
  std::uint32_t* to = table->data();
  for (std::uint32_t i = 0; i < records.slots->size(); ++i) {
    const auto slot = static_cast<std::uint32_t>(std::uint64_t{slots[i]} << record_bits_) | i;
    // Most records have no more slots than this, so that there is seldom a branch to mispredict; what is too much is
    // overwritten by the next.
    for (std::size_t s = 0; s < written_at_once; ++s) to[s] = slot;
    for (std::size_t s = written_at_once; s < slots[i]; ++s) to[s] = slot;
    to += slots[i];
  }
  table_ = table;
}

void RecordDraws::fill(const DrawKey& key, std::size_t first, std::size_t count, Batch& batch) const {
  const Records& records = tensor_->records();
  const std::uint32_t* const table = table_->data();
  const std::uint64_t record_mask = (std::uint64_t{1} << record_bits_) - 1;
  const double total_over_p = static_cast<double>(total_) / static_cast<double>(count);
  std::array<std::uint64_t, records_per_block> number;
  std::array<std::uint64_t, records_per_block> slot;
  for (std::size_t at = first; at < first + count; at += records_per_block) {
    const std::size_t n = std::min(records_per_block, first + count - at);
    draw_numbers(key, at, n, total_, number.data());
    // Neither slots nor records are likely in a cache: all are asked for before the first is read.
    for (std::size_t t = 0; t < n; ++t) __builtin_prefetch(table + number[t]);
    for (std::size_t t = 0; t < n; ++t) {
      slot[t] = table[number[t]];
      number[t] = begin_ + (slot[t] & record_mask);
      __builtin_prefetch(records.index(number[t]));
    }
    put_records(records, {number.data(), n}, 1.0, at, batch);
    for (std::size_t t = 0; t < n; ++t) {
      const double scale = total_over_p / static_cast<double>(slot[t] >> record_bits_);
      batch.w[at + t] *= scale;
      if (!batch.w0.empty()) batch.w0[at + t] = -scale * correction_;
    }
  }
}

namespace {

// By how much the second moment must fall for draws that cost more, and for sizing all records, to pay.
constexpr double least_gain_of_records = 1.2;

constexpr std::size_t probed_records = 2048;
constexpr std::size_t records_per_task = std::size_t{1} << 16;

// Whether some records, evenly spaced, promise a gain.
bool seems_to_pay(const AdaptiveStratum& stratum, const Factors& model, const Loss& loss, const RecordMemory& memory) {
  const SparseTensor& tensor = *stratum.tensor->sparse();
  const std::size_t step = tensor.listed() / probed_records + 1;
  std::vector<float> sizes((tensor.listed() + step - 1) / step);
  record_sizes(tensor, model, loss, stratum.correction, {0, step, sizes.size()}, sizes.data());
  const SlotsOfRecords slots = slots_of(sizes, stratum.options.uniform_share, memory);
  return Gain{slots.uniform, slots.followed}.at_least(least_gain_of_records);
}

std::shared_ptr<const AlignedVector<float>> sizes_of_all(const AdaptiveStratum& stratum, const Factors& model,
                                                         const Loss& loss, std::size_t threads,
                                                         const RecordMemory& memory) {
  const SparseTensor& tensor = *stratum.tensor->sparse();
  const auto sizes = memory.sizes->take(tensor.listed());
  const std::size_t tasks = (sizes->size() + records_per_task - 1) / records_per_task;
  parallel_tasks(tasks, threads, [&](std::size_t task) {
    const std::size_t begin = task * records_per_task;
    const std::size_t count = std::min(records_per_task, sizes->size() - begin);
    record_sizes(tensor, model, loss, stratum.correction, {begin, 1, count}, sizes->data() + begin);
  });
  return sizes;
}

}  // namespace

std::shared_ptr<const AdaptiveRecords> AdaptiveRecords::make(const AdaptiveStratum& stratum, const Factors& model,
                                                             const Loss& loss, std::size_t threads,
                                                             const RecordMemory& memory) {
  if (stratum.tensor->sparse()->listed() > most_records_with_slots) return nullptr;
  const bool adaptive = stratum.options.adaptive;
  if (adaptive && !seems_to_pay(stratum, model, loss, memory)) return nullptr;
  const std::size_t parts = stratum.parts.size();
  const auto sizes = sizes_of_all(stratum, model, loss, threads, memory);
  std::vector<SlotsOfRecords> slots(parts);
  parallel_tasks(parts, threads, [&](std::size_t l) {
    const auto [begin, end] = stratum.parts[l].records;
    if (begin == end) return;
    slots[l] = slots_of(std::span(*sizes).subspan(begin, end - begin), stratum.options.uniform_share, memory);
  });

  std::vector<double> masses;
  for (const SlotsOfRecords& of_part : slots) masses.push_back(of_part.mass);
  auto result = std::make_shared<AdaptiveRecords>();
  result->samples_ = stratum.samples_by(masses);
  Gain gain;
  for (std::size_t l = 0; l < parts; ++l) {
    if (stratum.sizes[l] == 0) continue;
    gain.uniform += slots[l].uniform / static_cast<double>(stratum.samples[l]);
    gain.followed += slots[l].followed / static_cast<double>(result->samples_[l]);
  }
  if (adaptive && !gain.at_least(least_gain_of_records)) return nullptr;

  result->draws_.resize(parts);
  parallel_tasks(parts, threads, [&](std::size_t l) {
    if (stratum.sizes[l] == 0) return;
    result->draws_[l].emplace(*stratum.tensor->sparse(), stratum.parts[l].records.first, slots[l], stratum.correction,
                              memory);
  });
  return result;
}

}  // namespace polyad
