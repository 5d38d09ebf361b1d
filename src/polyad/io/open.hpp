#pragma once
// What reading and writing (polyad/files.hpp) need besides tensors and models.

#include <polyad/files.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace polyad {

/// How the file itself is to be read, of all that the options say about data.
ReadOptions read_options(const DataOptions& options);
/// Gives the tensor the labels and mode names of the options.
void apply_labels(const DataOptions& options, Tensor& tensor);

/// Whether the format of an output has a place for labels.
bool keeps_labels(const std::string& path, FileHolds what);

/// One label per line, in index order; `MODE=FILE` arguments are resolved by the caller. Stops some 1000 after `most`.
std::vector<std::string> read_labels(const std::string& path, std::uint64_t most = max_held_extent);

/// A list of cells: the indices of a .tns file. A value column is optional; values are 1 where there is none.
Records read_cells(const std::string& path, const IndexSpace& space, const ReadOptions& options = {},
                   Remarks* remarks = nullptr);

}  // namespace polyad
