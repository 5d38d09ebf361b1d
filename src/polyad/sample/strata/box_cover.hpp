#pragma once
// Do boxes cut an index space into disjoint parts that leave nothing out? Decided exactly, for spaces of any
// size, by comparing volumes as big integers.

#include <polyad/sample/strata/box.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace polyad {

/// Two boxes that share a cell.
std::optional<std::pair<std::size_t, std::size_t>> find_overlap(std::span<const Box> boxes);

struct Gap {
  std::string cells;           ///< how many cells no box contains, exactly
  std::vector<Index> example;  ///< one of them
};
/// What disjoint boxes leave uncovered. O(modes * boxes^2).
std::optional<Gap> find_gap(const IndexSpace& space, std::span<const Box> boxes);

}  // namespace polyad
