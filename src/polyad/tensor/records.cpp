#include <polyad/base/error.hpp>
#include <polyad/tensor/records.hpp>

#include <algorithm>
#include <array>

namespace polyad {

namespace {

// Indices (padded to even), value, weight.
constexpr std::size_t max_stride = max_modes + max_modes % 2 + 4;

}  // namespace

Records::Records(std::size_t modes, bool weighted)
    : modes_(modes), value_at_(modes + modes % 2), stride_(value_at_ + (weighted ? 4 : 2)), weighted_(weighted) {
  if (modes < 1 || modes > max_modes) {
    fail(ErrorKind::data, "an entry with {} indices: a tensor has 1 to {} modes", modes, max_modes);
  }
}

void Records::append(const Index* index, double value, double weight) {
  std::array<std::uint32_t, max_stride> record{};
  std::copy_n(index, modes_, record.begin());
  std::memcpy(record.data() + value_at_, &value, sizeof value);
  if (weighted_) std::memcpy(record.data() + value_at_ + 2, &weight, sizeof weight);
  words_.insert(words_.end(), record.begin(), record.begin() + static_cast<std::ptrdiff_t>(stride_));
  ++size_;
}

void Records::append(const Records& other) {
  words_.insert(words_.end(), other.words_.begin(), other.words_.end());
  size_ += other.size_;
}

void Records::move(std::size_t from, std::size_t to) {
  if (from != to) std::copy_n(words_.data() + from * stride_, stride_, words_.data() + to * stride_);
}

void Records::clear() {
  size_ = 0;
  words_.clear();
}

void Records::truncate(std::size_t records) {
  if (records >= size_) return;
  size_ = records;
  words_.resize(records * stride_);
  if (words_.size() < words_.capacity() / 2) words_.shrink_to_fit();
}

Records Records::blank_copy() const {
  Records out(modes_, weighted_);
  out.words_.resize(words_.size());
  out.size_ = size_;
  return out;
}

Records Records::with_weights() const {
  if (weighted_) return *this;
  Records out(modes_, true);
  out.reserve(size_);
  for (std::size_t i = 0; i < size_; ++i) out.append(index(i), value(i), 1.0);
  return out;
}

}  // namespace polyad
