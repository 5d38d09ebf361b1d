#pragma once
// Reading and writing tensors and models. The format of an input is recognised by its content, never by its name; the
// extension of an output chooses its format (format.hpp has the list). Every error names the file, and the line and the field
// where there is one.

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

/// What the last field of a line of a .tns file is: the value, or one more index of a cell whose value is 1.
enum class ValueColumn { last, ones };
constexpr std::array<std::string_view, 2> words_of(ValueColumn) {
  return {"last", "ones"};
}

struct ReadOptions {
  std::optional<int> base = {};                          ///< of .tns indices: 0 or 1; unset: detected and stated
  std::optional<ValueColumn> values = {};                ///< of .tns lines; unset: last, unless it looks like an index
  std::optional<std::vector<std::uint64_t>> shape = {};  ///< unset: from the file, or the largest indices seen
  Unlisted unlisted = Unlisted::zero;                    ///< what cells that a sparse file does not list are
  std::string variable = {};                             ///< of a file that holds several (.mat, .npz)
  Mapping mapping = Mapping::automatic;
  std::optional<double> unpacked_limit = {};  ///< GB that compressed content may come to; unset: by the file's size
  /// Values that are not finite are left out (sparse) or become missing (infinities in dense files) instead of errors.
  bool drop_bad_values = false;
  /// Sees the entries as the file lists them, before duplicates are summed and zeros dropped. May be empty.
  std::function<void(const IndexSpace&, const Records&, Unlisted)> inspect = {};
  std::function<void(const IndexSpace&, std::span<const double>)> inspect_dense = {};
};

/// What a reader found and decided, for people: "1-based indices (no index is 0)", "12 duplicate entries were summed".
using Remarks = std::vector<std::string>;

/// Opens a file in any of the formats that polyad reads.
Tensor read_tensor(const std::string& path, const ReadOptions& options = {}, Remarks* remarks = nullptr);

/// What a file is for.
enum class FileHolds { tensor, model };
FileHolds what_file_holds(const std::string& path);

struct WriteOptions {
  bool mat_version_73 = false;  ///< .mat: version 7.3 (HDF5) instead of 5
  bool raw = false;             ///< .csv: labels as they are, also those that a spreadsheet takes for formulas
};

/// Complete or absent: temp file, fsync, rename. What a format has no place for is refused where losing it would change the
/// data; an extension that no format has is refused with the list of those that work.
void write_tensor(const std::string& path, const Tensor& tensor, const WriteOptions& options = {});
/// Whether the format of an output has a place for labels.
bool keeps_labels(const std::string& path, FileHolds what);
/// Throws the error that writing a tensor, or a model, to `path` would meet now (an extension without a format, no such
/// folder, no permission, ...): for long computations, which should not find out at their end. Leaves nothing behind.
void check_output(const std::string& path, FileHolds what);

/// One label per line, in index order; `MODE=FILE` arguments are resolved by the caller. Stops some 1000 after `most`.
std::vector<std::string> read_labels(const std::string& path, std::uint64_t most = max_held_extent);

/// A list of cells: the indices of a .tns file. A value column is optional; values are 1 where there is none.
Records read_cells(const std::string& path, const IndexSpace& space, const ReadOptions& options = {},
                   Remarks* remarks = nullptr);

}  // namespace polyad
