#include <polyad/sample/draws/listed_draws.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace polyad {

namespace {

constexpr std::size_t block = 32;  // records on their way at a time

}  // namespace

ListedDraws::ListedDraws(const SparseTensor& tensor, std::size_t count, double correction)
    : ListedDraws(tensor, 0, tensor.listed(), count, correction) {}

ListedDraws::ListedDraws(const SparseTensor& tensor, std::size_t begin, std::size_t end, std::size_t count,
                         double correction)
    : tensor_(&tensor), begin_(begin), end_(end), count_(count), correction_(correction) {}

ListedDraws::ListedDraws(const SparseTensor& tensor, std::vector<std::uint32_t> numbers, std::size_t count)
    : tensor_(&tensor), numbers_(std::move(numbers)), count_(count) {}

void ListedDraws::fill(const DrawKey& key, std::size_t first, Batch& batch) const {
  const double eta_over_p = cells() / static_cast<double>(count_);
  const Records& all = tensor_->records();
  const std::size_t end = first + count_;
  // A drawn record is seldom in a cache, and may lie across two lines: while one block is read, the next is on its way.
  std::array<std::array<std::uint64_t, block>, 2> drawn;
  const auto ask_for = [&](std::size_t at, std::array<std::uint64_t, block>& record) {
    const std::size_t n = std::min(block, end - at);
    draw_numbers(key, at, n, records(), record.data());
    for (std::size_t t = 0; t < n; ++t) {
      record[t] = numbers_.empty() ? begin_ + record[t] : numbers_[record[t]];
      const Index* const words = all.index(record[t]);
      __builtin_prefetch(words);
      __builtin_prefetch(words + all.record_bytes() / sizeof(Index) - 1);
    }
  };
  if (first < end) ask_for(first, drawn[0]);
  for (std::size_t at = first, b = 0; at < end; at += block, b ^= 1) {
    if (at + block < end) ask_for(at + block, drawn[b ^ 1]);
    put_records(all, {drawn[b].data(), std::min(block, end - at)}, eta_over_p, at, batch);
  }
  if (!batch.w0.empty()) std::fill_n(batch.w0.begin() + first, count_, -eta_over_p * correction_);
}

void put_records(const Records& records, std::span<const std::uint64_t> numbers, double scale, std::size_t first,
                 Batch& batch) {
  std::array<Index*, max_modes> index{};
  const std::size_t modes = records.modes();
  for (std::size_t k = 0; k < modes; ++k) index[k] = batch.index[k].data() + first;
  double* const x = batch.x.data() + first;
  for (std::size_t t = 0; t < numbers.size(); ++t) {
    const Index* const from = records.index(numbers[t]);
    for (std::size_t k = 0; k < modes; ++k) index[k][t] = from[k];
    x[t] = records.value(numbers[t]);
  }
  double* const w = batch.w.data() + first;
  if (records.weighted()) {
    for (std::size_t t = 0; t < numbers.size(); ++t) w[t] = scale * records.weight(numbers[t]);
  } else {
    std::fill_n(w, numbers.size(), scale);
  }
}

}  // namespace polyad
