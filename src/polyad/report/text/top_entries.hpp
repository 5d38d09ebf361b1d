#pragma once
// The entries of a column that carry most of it.

#include <polyad/model.hpp>

#include <cstddef>
#include <vector>

namespace polyad {

/// Indices of the `count` largest entries by magnitude, largest first, ties in order; zeros are left out.
std::vector<std::size_t> top_entries(const std::vector<double>& column, std::size_t count);
/// Column j of a mode.
std::vector<double> column_of(const KTensor& model, std::size_t mode, std::size_t j);

}  // namespace polyad
