#include <polyad/tensor/group_records.hpp>

#include <algorithm>
#include <vector>

namespace polyad {

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
