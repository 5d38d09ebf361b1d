#pragma once
// A CellSet that is filled when it is first asked for, by whichever thread asks first. Most fits never ask: whether a cell is
// listed is told by a smaller ListedSet.

#include <polyad/tensor/cell_set.hpp>

#include <atomic>
#include <memory>
#include <mutex>

namespace polyad {

/// A set of records that are known to be distinct cells.
CellSet cell_set_of(const Records& records);

class LazyCellSet {
 public:
  LazyCellSet() = default;
  ~LazyCellSet() = default;
  /// A copy is filled anew when asked.
  LazyCellSet(const LazyCellSet&) {}
  LazyCellSet(LazyCellSet&& other) noexcept { *this = std::move(other); }
  LazyCellSet& operator=(const LazyCellSet& other);
  LazyCellSet& operator=(LazyCellSet&& other) noexcept;

  /// The set of these records, which are distinct cells and the same as in all calls since the last `forget`.
  const CellSet& of(const Records& records) const {
    const CellSet* const ready = ready_.load(std::memory_order_acquire);
    return ready != nullptr ? *ready : fill(records);
  }
  /// After the records have changed. Not while another thread uses the set.
  void forget();
  /// Takes over a set that is filled already.
  void put(CellSet set);

 private:
  const CellSet& fill(const Records& records) const;

  mutable std::mutex filling_;
  mutable std::unique_ptr<const CellSet> set_;
  mutable std::atomic<const CellSet*> ready_ = nullptr;
};

}  // namespace polyad
