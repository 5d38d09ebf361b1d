#pragma once
// A set of 64-bit words other than ~0, for the few cells that find their bucket full: open addressing, at most half full,
// grows as needed.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace polyad {

class SpillSet {
 public:
  bool contains(std::uint64_t word) const {
    if (words_.empty()) return false;
    for (std::size_t at = home(word);; at = (at + 1) & (words_.size() - 1)) {
      if (words_[at] == word) return true;
      if (words_[at] == none) return false;
    }
  }
  /// False where it was there already.
  bool insert(std::uint64_t word);
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return words_.size() * sizeof(std::uint64_t); }

 private:
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  // Fibonacci hashing: the top bits of a product with 2^64 over the golden ratio.
  std::size_t home(std::uint64_t word) const {
    return static_cast<std::size_t>((word * 0x9e3779b97f4a7c15u) >> shift_);
  }
  void grow();

  std::vector<std::uint64_t> words_;
  std::size_t size_ = 0;
  unsigned shift_ = 64;
};

}  // namespace polyad
