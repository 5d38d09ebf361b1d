#include <polyad/sample/listed_draws.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace polyad {

ListedDraws::ListedDraws(const SparseTensor& tensor, std::size_t count, double correction)
    : tensor_(&tensor), all_(true), count_(count), correction_(correction) {}

ListedDraws::ListedDraws(const SparseTensor& tensor, std::vector<std::uint32_t> numbers, std::size_t count)
    : tensor_(&tensor), all_(false), numbers_(std::move(numbers)), count_(count) {}

void ListedDraws::fill(const DrawKey& key, std::size_t first, Batch& batch) const {
  const double eta_over_p = cells() / static_cast<double>(count_);
  const std::uint64_t eta = records();
  // A drawn record is seldom in a cache: ask for a block of them first, so that the waits overlap.
  constexpr std::size_t block = 64;
  std::array<std::uint64_t, block> record{};
  const Records& all_records = tensor_->records();
  for (std::size_t begin = first; begin < first + count_; begin += block) {
    const std::size_t n = std::min(block, first + count_ - begin);
    for (std::size_t t = 0; t < n; ++t) {
      const std::uint64_t number = draw_number(key, begin + t, eta);
      record[t] = all_ ? number : numbers_[number];
      __builtin_prefetch(all_records.index(record[t]));
    }
    for (std::size_t t = 0; t < n; ++t) put_record(all_records, record[t], eta_over_p, begin + t, batch);
  }
  if (!batch.w0.empty()) {
    for (std::size_t t = first; t < first + count_; ++t) batch.w0[t] = -eta_over_p * correction_;
  }
}

void put_record(const Records& records, std::size_t record, double scale, std::size_t slot, Batch& batch) {
  const Index* index = records.index(record);
  for (std::size_t k = 0; k < records.modes(); ++k) batch.index[k][slot] = index[k];
  batch.x[slot] = records.value(record);
  batch.w[slot] = scale * records.weight(record);
}

}  // namespace polyad
