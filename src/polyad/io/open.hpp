#pragma once
// Reading and writing tensors and models. The format of an input is told by its content, never by its name;
// the format of an output by its extension. Every error names the file, and the line and field where there is
// one.

#include <polyad/model.hpp>
#include <polyad/tensor/tensor.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polyad {

/// Whether data are mapped into memory instead of read, where their file allows it (polyad's HDF5, .npy of doubles in C order):
/// where they are over 256 MB, always, or never.
enum class Mapping { automatic, always, never };
constexpr std::array<std::string_view, 3> words_of(Mapping) {
  return {"auto", "always", "never"};
}

struct ReadOptions {
  std::optional<int> base;                          ///< of .tns indices: 0 or 1; unset: detected and stated
  std::optional<std::vector<std::uint64_t>> shape;  ///< unset: from the file, or the largest indices seen
  Unlisted unlisted = Unlisted::zero;               ///< what cells that a sparse file does not list are
  std::string variable;                             ///< of a file that holds several (.mat, .npz)
  Mapping mapping = Mapping::automatic;
  /// Values that are not finite are left out (sparse) or become missing (infinities in dense files) instead of errors.
  bool drop_bad_values = false;
  /// Sees the entries as the file lists them, before duplicates are summed and zeros dropped. May be empty.
  std::function<void(const IndexSpace&, const Records&, Unlisted)> inspect;
  std::function<void(const IndexSpace&, std::span<const double>)> inspect_dense;
};

/// What a reader found and decided, for people: "1-based indices (no index is 0)", "12 duplicate entries were
/// summed".
using Remarks = std::vector<std::string>;

/// Opens .tns, Tensor Toolbox text (both also .gz, .zst), .npy, .npz, .mat or polyad's HDF5.
Tensor read_tensor(const std::string& path, const ReadOptions& options = {}, Remarks* remarks = nullptr);

/// What a file is for.
enum class FileHolds { tensor, model };
FileHolds what_file_holds(const std::string& path);

struct WriteOptions {
  bool mat_version_73 = false;  ///< .mat: version 7.3 (HDF5) instead of 5
  bool raw = false;             ///< .csv: labels as they are, also those that a spreadsheet takes for formulas
};

/// Writes .h5, .tns, .csv, Tensor Toolbox text (.tensor, .sptensor, .txt), .npy (dense), .npz or .mat, by extension; text
/// also compressed (.gz, .zst). Complete or absent: temp file, fsync, rename. What a format has no place for is refused
/// where losing it would change the data.
void write_tensor(const std::string& path, const Tensor& tensor, const WriteOptions& options = {});
/// Whether the format of an output has a place for labels (all but .npy and Tensor Toolbox text).
bool keeps_labels(const std::string& path);

/// One label a line, in index order; `MODE=FILE` arguments are resolved by the caller.
std::vector<std::string> read_labels(const std::string& path);

/// A list of cells (the indices of a .tns file; a value column is optional and is 1 where absent).
Records read_cells(const std::string& path, const IndexSpace& space, std::optional<int> base,
                   Remarks* remarks = nullptr);

}  // namespace polyad
