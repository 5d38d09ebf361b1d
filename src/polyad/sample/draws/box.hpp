#pragma once
// Which cells are meant: a box of indices, a range of values; and whether boxes cover a space.

#include <polyad/cells.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace polyad {

/// A box of cells: a range of indices in every mode.
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

/// A class of data values. Closed at both ends, LO <= x <= HI, which is how counts are written (1..1, 2..5, 6..); the upper end
/// may be left out, LO <= x < HI, which is how reals are split without overlap (..<0.5, 0.5..<1, 1..).
struct ValueRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool without_high = false;

  /// False for NaN.
  bool contains(double x) const { return x >= low && (without_high ? x < high : x <= high); }
};

// Do boxes cut an index space into disjoint pieces that leave nothing out? Decided exactly, for spaces of any size, by comparing
// volumes as big integers.

/// Two boxes that share a cell.
std::optional<std::pair<std::size_t, std::size_t>> find_overlap(std::span<const Box> boxes);

struct Gap {
  std::string cells;           ///< how many cells no box contains, exactly
  std::vector<Index> example;  ///< one of them
};
/// What disjoint boxes leave uncovered. O(modes * boxes^2).
std::optional<Gap> find_gap(const IndexSpace& space, std::span<const Box> boxes);

}  // namespace polyad
