#pragma once
// What reading and writing (polyad/files.hpp) need besides tensors and models.

#include <polyad/files.hpp>

#include <optional>
#include <string>
#include <vector>

namespace polyad {

/// Whether the format of an output has a place for labels (all but .npy and Tensor Toolbox text).
bool keeps_labels(const std::string& path);

/// One label a line, in index order; `MODE=FILE` arguments are resolved by the caller.
std::vector<std::string> read_labels(const std::string& path);

/// A list of cells (the indices of a .tns file; a value column is optional and is 1 where absent).
Records read_cells(const std::string& path, const IndexSpace& space, std::optional<int> base,
                   Remarks* remarks = nullptr);

}  // namespace polyad
