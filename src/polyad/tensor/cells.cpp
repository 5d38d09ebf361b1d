#include <polyad/base/error.hpp>
#include <polyad/base/text.hpp>
#include <polyad/cells.hpp>
#include <polyad/tensor/group_records.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace polyad {

namespace {

// Empty where the extents are fine. One text for both callers, which differ in whose fault it is.
std::string broken_rule(std::span<const std::uint64_t> extents) {
  if (extents.empty() || extents.size() > max_modes) {
    return fmt::format("a tensor has 1 to {} modes, this shape has {}", max_modes, extents.size());
  }
  for (std::size_t k = 0; k < extents.size(); ++k) {
    if (extents[k] < 1 || extents[k] > max_extent) {
      return fmt::format("mode {} has extent {}: it must be from 1 to {}", k + 1, extents[k], max_extent);
    }
  }
  return {};
}

}  // namespace

IndexSpace::IndexSpace(std::vector<std::uint64_t> extents) : extents_(std::move(extents)) {
  if (const std::string broken = broken_rule(extents_); !broken.empty()) fail(ErrorKind::data, "shape: {}", broken);
  for (const std::uint64_t n : extents_) {
    cells_ *= static_cast<double>(n);
    log2_cells_ += std::log2(static_cast<double>(n));
    std::uint64_t product = 0;
    if (exact_cells_ && !__builtin_mul_overflow(*exact_cells_, n, &product)) {
      exact_cells_ = product;
    } else {
      exact_cells_.reset();
    }
  }
  if (exact_cells_) cells_ = static_cast<double>(*exact_cells_);
}

std::uint64_t IndexSpace::sum_of_extents() const {
  return std::accumulate(extents_.begin(), extents_.end(), std::uint64_t{0}, [](std::uint64_t a, std::uint64_t b) {
    return a + std::min(b, std::numeric_limits<std::uint64_t>::max() - a);
  });
}

bool IndexSpace::contains(std::span<const Index> index) const {
  if (index.size() != extents_.size()) return false;
  for (std::size_t k = 0; k < index.size(); ++k) {
    if (index[k] >= extents_[k]) return false;
  }
  return true;
}

std::string IndexSpace::to_string() const {
  return joined(extents_, " x ");
}

std::string cell_text(std::span<const Index> index) {
  std::vector<std::uint64_t> from_one(index.begin(), index.end());
  for (auto& i : from_one) ++i;
  return fmt::format("({})", joined(from_one, ", "));
}

IndexSpace parse_shape(std::string_view text) {
  constexpr const char* hint = "write it as 200x150x100";
  const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
  const auto skip_spaces = [&](const char* at, const char* end) { return std::find_if_not(at, end, is_space); };

  std::vector<std::uint64_t> extents;
  const char* const end = text.data() + text.size();
  const char* at = skip_spaces(text.data(), end);
  if (at == end) fail(ErrorKind::usage, "shape: it is empty; {}", hint);
  while (true) {
    std::uint64_t extent = 0;
    const auto [stop, error] = std::from_chars(at, end, extent);
    if (error == std::errc::result_out_of_range) {
      fail(ErrorKind::usage, "shape '{}': mode {} is far too large: an extent must be from 1 to {}", text,
           extents.size() + 1, max_extent);
    }
    if (error != std::errc{}) {
      fail(ErrorKind::usage, "shape '{}': expected a whole number for mode {}; {}", text, extents.size() + 1, hint);
    }
    extents.push_back(extent);
    const char* separator = skip_spaces(stop, end);
    if (separator == end) break;
    const bool sign = *separator == 'x' || *separator == 'X' || *separator == ',';
    at = sign ? skip_spaces(separator + 1, end) : separator;
    if (at == stop) {
      fail(ErrorKind::usage, "shape '{}': '{}' does not separate extents; {}", text, *stop, hint);
    }
  }
  if (const std::string broken = broken_rule(extents); !broken.empty()) {
    fail(ErrorKind::usage, "shape '{}': {}", text, broken);
  }
  return IndexSpace(std::move(extents));
}

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

namespace {

bool grouped(const Records& records, std::size_t mode) {
  for (std::size_t i = 1; i < records.size(); ++i) {
    if (records.index(i)[mode] < records.index(i - 1)[mode]) return false;
  }
  return true;
}

Records count_and_place(const Records& records, std::size_t mode, std::uint64_t extent) {
  std::vector<std::size_t> next(static_cast<std::size_t>(extent) + 1);
  for (std::size_t i = 0; i < records.size(); ++i) ++next[records.index(i)[mode] + 1];
  for (std::size_t g = 1; g < next.size(); ++g) next[g] += next[g - 1];
  Records out = records.blank_copy();
  for (std::size_t i = 0; i < records.size(); ++i) out.assign(next[records.index(i)[mode]]++, records, i);
  return out;
}

Records sort_and_gather(const Records& records, std::size_t mode) {
  // The record's number behind its index: an order without equals, so that any sort is stable. There are at most 2^32
  // records.
  std::vector<std::uint64_t> order(records.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = std::uint64_t{records.index(i)[mode]} << 32 | i;
  std::ranges::sort(order);
  Records out = records.blank_copy();
  for (std::size_t i = 0; i < order.size(); ++i) out.assign(i, records, order[i] & 0xffffffffu);
  return out;
}

}  // namespace

std::size_t largest_mode(const IndexSpace& space) {
  return static_cast<std::size_t>(std::ranges::max_element(space.extents()) - space.extents().begin());
}

bool group_records(Records& records, std::size_t mode, std::uint64_t extent) {
  if (grouped(records, mode)) return false;
  records = extent <= records.size() ? count_and_place(records, mode, extent) : sort_and_gather(records, mode);
  return true;
}

std::pair<std::size_t, std::size_t> grouped_range(const Records& records, std::size_t mode, std::uint64_t begin,
                                                  std::uint64_t end) {
  const auto first_from = [&](std::uint64_t index) {
    std::size_t low = 0, high = records.size();
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if (records.index(middle)[mode] < index) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  };
  const std::size_t first = first_from(begin);
  return {first, std::max(first, first_from(end))};
}

}  // namespace polyad
