#pragma once
// A cell as one 64-bit word: key = sum_k stride_k i_k modulo 2^64. With the strides of a mixed radix (the last mode runs
// fastest) the key is the cell's number in the space; multiplying every stride by an odd constant mixes the number at no
// cost.

#include <polyad/cells.hpp>

#include <array>
#include <bit>
#include <cstdint>

namespace polyad {

class LinearKey {
 public:
  /// Numbers the cells of a space of fewer than 2^64 cells, each number times `factor` modulo 2^64.
  explicit LinearKey(const IndexSpace& space, std::uint64_t factor = 1) : modes_(space.modes()) {
    std::uint64_t stride = factor;
    for (std::size_t k = modes_; k-- > 0;) {
      strides_[k] = stride;
      stride *= space.extent(k);
    }
  }

  std::uint64_t operator()(const Index* index) const {
    std::uint64_t key = 0;
    for (std::size_t k = 0; k < modes_; ++k) key += index[k] * strides_[k];
    return key;
  }
  /// The key of the cell (index[0][at], index[1][at], ...).
  template <class Modes>
  std::uint64_t of_columns(const Index* const* index, std::size_t at, Modes modes) const {
    std::uint64_t key = 0;
    for (std::size_t k = 0; k < modes; ++k) key += index[k][at] * strides_[k];
    return key;
  }
  std::size_t modes() const { return modes_; }

 private:
  std::size_t modes_;
  std::array<std::uint64_t, max_modes> strides_{};
};

/// The bits that hold the number of any cell, or 64 where some number needs that many or more.
inline unsigned key_bits(const IndexSpace& space) {
  const auto cells = space.exact_cells();
  return cells ? static_cast<unsigned>(std::bit_width(*cells - 1)) : 64u;
}

}  // namespace polyad
