#pragma once
// Fewer points of a long column, none of its peaks lost.

#include <cstddef>
#include <span>
#include <vector>

namespace polyad {

/// The lowest and highest entry of each of `stretches` equal stretches, in order (so at most two a stretch); every entry
/// where there are no more than that.
std::vector<std::size_t> thinned(std::span<const double> column, std::size_t stretches);

}  // namespace polyad
