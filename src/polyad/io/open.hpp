#pragma once
// Reading and writing tensors and models. The format of an input is told by its content, never by its name;
// the format of an output by its extension. Every error names the file, and the line and field where there is
// one.

#include <polyad/model/ktensor.hpp>
#include <polyad/tensor/tensor.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace polyad {

struct ReadOptions {
  std::optional<int> base;                          ///< of .tns indices: 0 or 1; unset: detected and stated
  std::optional<std::vector<std::uint64_t>> shape;  ///< unset: from the file, or the largest indices seen
  Unlisted unlisted = Unlisted::zero;               ///< what cells that a sparse file does not list are
};

/// What a reader found and decided, for people: "1-based indices (no index is 0)", "12 duplicate entries were
/// summed".
using Remarks = std::vector<std::string>;

/// Opens .tns (.gz), .npy or polyad's HDF5.
Tensor read_tensor(const std::string& path, const ReadOptions& options = {}, Remarks* remarks = nullptr);
/// Writes .tns, .tns.gz, .npy (dense) or .h5, by extension. Complete or absent: temp file, fsync, rename.
/// .tns and .npy have no place for labels; .h5 keeps them.
void write_tensor(const std::string& path, const Tensor& tensor);

/// One label a line, in index order; `MODE=FILE` arguments are resolved by the caller.
std::vector<std::string> read_labels(const std::string& path);

/// A list of cells (the indices of a .tns file; a value column is optional and is 1 where absent).
Records read_cells(const std::string& path, const IndexSpace& space, std::optional<int> base,
                   Remarks* remarks = nullptr);

}  // namespace polyad
