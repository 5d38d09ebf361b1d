#include <polyad/base/error.hpp>
#include <polyad/tensor/cell_set.hpp>

#include <bit>

namespace polyad {

CellSet::CellSet(std::size_t modes, std::size_t capacity) : modes_(modes) {
  if (capacity > max_records) {
    fail(ErrorKind::data, "{} entries: a sparse tensor holds at most {}; split it or merge entries first",
         capacity, max_records);
  }
  // At least one slot stays empty, which ends every search.
  const std::uint64_t slots = std::bit_ceil(capacity + capacity / 2 + 2);
  mask_ = slots - 1;
  slots_.assign(slots, empty_slot);
}

std::uint32_t CellSet::insert(const Records& records, std::uint32_t number) {
  const Index* index = records.index(number);
  const std::uint64_t h = hash(index);
  std::uint64_t at = h & mask_;
  for (; slots_[at] != empty_slot; at = (at + 1) & mask_) {
    const std::uint64_t slot = slots_[at];
    if (fingerprint(slot) == fingerprint(h) &&
        std::equal(index, index + modes_, records.index(record_of(slot)))) {
      return record_of(slot);
    }
  }
  slots_[at] = static_cast<std::uint64_t>(fingerprint(h)) << 32 | number;
  return absent;
}

}  // namespace polyad
