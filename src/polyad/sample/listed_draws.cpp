#include <polyad/sample/listed_draws.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace polyad {

namespace {

// Records drawn at a time: each is seldom in a cache, so that all are asked for before the first is read.
constexpr std::size_t block = 64;

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
  std::array<std::uint64_t, block> record;
  for (std::size_t at = first; at < end; at += block) {
    const std::size_t n = std::min(block, end - at);
    draw_numbers(key, at, n, records(), record.data());
    for (std::size_t t = 0; t < n; ++t) {
      record[t] = numbers_.empty() ? begin_ + record[t] : numbers_[record[t]];
      __builtin_prefetch(all.index(record[t]));
    }
    for (std::size_t t = 0; t < n; ++t) put_record(all, record[t], eta_over_p, at + t, batch);
  }
  if (!batch.w0.empty()) std::fill_n(batch.w0.begin() + first, count_, -eta_over_p * correction_);
}

void put_record(const Records& records, std::size_t record, double scale, std::size_t slot, Batch& batch) {
  const Index* index = records.index(record);
  for (std::size_t k = 0; k < records.modes(); ++k) batch.index[k][slot] = index[k];
  batch.x[slot] = records.value(record);
  batch.w[slot] = scale * records.weight(record);
}

}  // namespace polyad
