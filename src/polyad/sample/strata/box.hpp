#pragma once
// A box of cells: a range of indices in every mode.

#include <polyad/cells.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace polyad {

struct Box {
  std::vector<Index> low;             ///< first index of each mode
  std::vector<std::uint64_t> extent;  ///< number of indices of each mode, at least 1

  static Box whole(const IndexSpace& space);

  std::size_t modes() const { return low.size(); }
  double cells() const;
  bool contains(const Index* index) const {
    for (std::size_t k = 0; k < low.size(); ++k) {
      if (index[k] < low[k] || index[k] - low[k] >= extent[k]) return false;
    }
    return true;
  }
  bool overlaps(const Box& other) const;
};

/// Calls visit(index) for every cell, the last mode fastest.
template <class Visit>
void for_each_cell(const Box& box, Visit&& visit) {
  const std::size_t d = box.modes();
  std::array<Index, max_modes> at{};
  for (std::size_t k = 0; k < d; ++k) at[k] = box.low[k];
  for (;;) {
    visit(static_cast<const Index*>(at.data()));
    std::size_t k = d;
    while (k > 0 && at[k - 1] - box.low[k - 1] + std::uint64_t{1} == box.extent[k - 1]) {
      at[k - 1] = box.low[k - 1];
      --k;
    }
    if (k == 0) return;
    ++at[k - 1];
  }
}

}  // namespace polyad
