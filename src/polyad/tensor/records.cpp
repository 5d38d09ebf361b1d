#include <polyad/base/error.hpp>
#include <polyad/cells.hpp>

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

Records Records::in_file(std::size_t modes, bool weighted, std::size_t size, const std::uint32_t* words,
                         std::shared_ptr<const void> mapping) {
  Records out(modes, weighted);
  out.words_ = Mappable<std::uint32_t>(words, size * out.stride_, std::move(mapping));
  out.size_ = size;
  return out;
}

Records Records::blank(std::size_t modes, bool weighted, std::size_t size) {
  Records out(modes, weighted);
  out.words_ = AlignedVector<std::uint32_t>(size * out.stride_);
  out.size_ = size;
  return out;
}

void Records::append(const Index* index, double value, double weight) {
  std::array<std::uint32_t, max_stride> record{};
  std::copy_n(index, modes_, record.begin());
  std::memcpy(record.data() + value_at_, &value, sizeof value);
  if (weighted_) std::memcpy(record.data() + value_at_ + 2, &weight, sizeof weight);
  words_.change([&](auto& words) {
    words.insert(words.end(), record.begin(), record.begin() + static_cast<std::ptrdiff_t>(stride_));
  });
  ++size_;
}

void Records::append(std::initializer_list<Index> index, double value, double weight) {
  if (index.size() != modes_) {
    fail(ErrorKind::usage, "a cell of {} modes has {} indices: give one per mode", modes_, index.size());
  }
  append(index.begin(), value, weight);
}

void Records::append(const Records& other) {
  words_.change([&](auto& words) { words.insert(words.end(), other.words_.begin(), other.words_.end()); });
  size_ += other.size_;
}

void Records::move(std::size_t from, std::size_t to) {
  if (from == to) return;
  std::uint32_t* const words = words_.to_change();
  std::copy_n(words + from * stride_, stride_, words + to * stride_);
}

void Records::clear() {
  size_ = 0;
  words_.change([](auto& words) { words.clear(); });
}

void Records::truncate(std::size_t records) {
  if (records >= size_) return;
  size_ = records;
  words_.change([&](auto& words) {
    words.resize(records * stride_);
    if (words.size() < words.capacity() / 2) words.shrink_to_fit();
  });
}

Records Records::with_weights() const {
  if (weighted_) return *this;
  Records out(modes_, true);
  out.reserve(size_);
  for (std::size_t i = 0; i < size_; ++i) out.append(index(i), value(i), 1.0);
  return out;
}

}  // namespace polyad
