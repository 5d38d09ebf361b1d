#include <polyad/sample/listed_draws.hpp>

#include <utility>

namespace polyad {

ListedDraws::ListedDraws(const SparseTensor& tensor, std::size_t count, double correction)
    : tensor_(&tensor), all_(true), count_(count), correction_(correction) {}

ListedDraws::ListedDraws(const SparseTensor& tensor, std::vector<std::uint32_t> numbers, std::size_t count)
    : tensor_(&tensor), all_(false), numbers_(std::move(numbers)), count_(count) {}

void ListedDraws::fill(const DrawKey& key, std::size_t first, Batch& batch) const {
  const double eta_over_p = cells() / static_cast<double>(count_);
  const std::uint64_t eta = records();
  for (std::size_t t = first; t < first + count_; ++t) {
    const std::uint64_t number = draw_number(key, t, eta);
    put_record(tensor_->records(), all_ ? number : numbers_[number], eta_over_p, t, batch);
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
