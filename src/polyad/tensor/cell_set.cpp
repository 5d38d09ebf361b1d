#include <polyad/base/error.hpp>
#include <polyad/tensor/cell_set.hpp>

namespace polyad {

void CellSet::check_count(std::size_t records) {
  if (records <= max_records) return;
  fail(ErrorKind::data, "{} entries: a sparse tensor holds at most {}; split it or merge entries first", records,
       max_records);
}

CellSet::CellSet(std::size_t modes, std::size_t capacity) : modes_(modes) {
  check_count(capacity);
  // Half full: about one line in twenty overflows into the next. Some line is never full, which ends every
  // search.
  Line line;
  line.fingerprints.fill(0);
  line.records.fill(absent);
  lines_.assign(capacity / (slots / 2) + 1, line);
}

std::uint32_t CellSet::search(const Line& line, const Records& records, const Index* index,
                              std::uint32_t fingerprint) const {
  for (std::size_t i = 0; i < slots && line.records[i] != absent; ++i) {
    if (line.fingerprints[i] == fingerprint && std::equal(index, index + modes_, records.index(line.records[i]))) {
      return line.records[i];
    }
  }
  return absent;
}

std::uint32_t CellSet::insert(const Records& records, std::uint32_t number) {
  const Index* const index = records.index(number);
  const std::uint64_t h = hash(index);
  for (std::size_t at = home(h);; at = next(at)) {
    Line& line = lines_[at];
    if (line.may_hold(fingerprint(h))) {
      const std::uint32_t earlier = search(line, records, index, fingerprint(h));
      if (earlier != absent) return earlier;
    }
    if (line.full()) continue;
    const auto free = std::find(line.records.begin(), line.records.end(), absent);
    *free = number;
    line.fingerprints[static_cast<std::size_t>(free - line.records.begin())] = fingerprint(h);
    return absent;
  }
}

std::size_t CellSet::longest_search() const {
  std::size_t longest = 0;
  std::size_t full = 0;
  // Twice around, since a run of full lines may go on from the last to the first.
  for (std::size_t at = 0; at < 2 * lines_.size(); ++at) {
    full = lines_[at % lines_.size()].full() ? full + 1 : 0;
    longest = std::max(longest, full);
  }
  return lines_.empty() ? 0 : longest + 1;
}

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
