#include <polyad/tensor/lazy_cell_set.hpp>

#include <utility>

namespace polyad {

CellSet cell_set_of(const Records& records) {
  CellSet set(records.modes(), records.size());
  for_each_prefetched(records, set, [&](std::size_t i) { set.insert(records, static_cast<std::uint32_t>(i)); });
  return set;
}

LazyCellSet& LazyCellSet::operator=(const LazyCellSet& other) {
  if (this != &other) forget();
  return *this;
}

LazyCellSet& LazyCellSet::operator=(LazyCellSet&& other) noexcept {
  set_ = std::move(other.set_);
  ready_ = other.ready_.exchange(nullptr);
  return *this;
}

const CellSet& LazyCellSet::fill(const Records& records) const {
  const std::lock_guard lock(filling_);
  if (set_ == nullptr) {
    set_ = std::make_unique<const CellSet>(cell_set_of(records));
    ready_.store(set_.get(), std::memory_order_release);
  }
  return *set_;
}

void LazyCellSet::forget() {
  ready_ = nullptr;
  set_.reset();
}

void LazyCellSet::put(CellSet set) {
  set_ = std::make_unique<const CellSet>(std::move(set));
  ready_ = set_.get();
}

}  // namespace polyad
