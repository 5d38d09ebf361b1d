#include <polyad/tensor/spill_set.hpp>

#include <bit>
#include <utility>

namespace polyad {

bool SpillSet::insert(std::uint64_t word) {
  if (2 * (size_ + 1) > words_.size()) grow();
  for (std::size_t at = home(word);; at = (at + 1) & (words_.size() - 1)) {
    if (words_[at] == word) return false;
    if (words_[at] != none) continue;
    words_[at] = word;
    ++size_;
    return true;
  }
}

void SpillSet::grow() {
  const std::size_t length = words_.empty() ? 16 : 2 * words_.size();
  const std::vector<std::uint64_t> before = std::exchange(words_, std::vector<std::uint64_t>(length, none));
  shift_ = 64 - static_cast<unsigned>(std::countr_zero(length));
  size_ = 0;
  for (const std::uint64_t word : before) {
    if (word != none) insert(word);
  }
}

}  // namespace polyad
