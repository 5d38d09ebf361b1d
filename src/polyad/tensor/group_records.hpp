#pragma once
// Records in groups of equal index in one mode: a part of a tensor (a range of that mode) is then a range of records.

#include <polyad/cells.hpp>

#include <utility>

namespace polyad {

/// The mode of the largest extent, the first of equals.
std::size_t largest_mode(const IndexSpace& space);

/// Sorts by the index in `mode`, below `extent`, and keeps the order of records where it is equal. True where any record
/// moved; records in order already are left alone. O(records + extent), or O(records log records) where extents are
/// larger; room for a second copy while it lasts.
bool group_records(Records& records, std::size_t mode, std::uint64_t extent);

/// The range of (grouped) records whose index in `mode` is at least `begin` and below `end`. O(log records).
std::pair<std::size_t, std::size_t> grouped_range(const Records& records, std::size_t mode, std::uint64_t begin,
                                                  std::uint64_t end);

}  // namespace polyad
