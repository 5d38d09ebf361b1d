#pragma once
// Reads polyad's HDF5 files with care: no buffer is made before the file has been found large enough to fill
// it. Every error names the file and the object in it. The HDF5 library itself is only safe with sound files:
// for the reading process only (isolated/reader.hpp).

#include <polyad/io/hdf5/library.hpp>
#include <polyad/io/isolated/wire.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace polyad {

class Hdf5Reader {
 public:
  /// Opens a file that must be polyad's and of this kind ("tensor" or "model"; any where empty); else a data error says what
  /// it is and which command takes it.
  Hdf5Reader(const std::string& path, const std::string& kind);

  const std::string& path() const { return path_; }
  bool has(const std::string& object) const;
  bool has_attribute(const std::string& object, const char* name) const;
  /// How many of the objects `group`/1, `group`/2, ... there are without a gap.
  std::size_t count_numbered(const std::string& group) const;

  std::string text_attribute(const std::string& object, const char* name) const;
  double number_attribute(const std::string& object, const char* name) const;
  std::vector<std::uint64_t> list_attribute(const std::string& object, const char* name) const;

  /// A dataset whose claimed extents the file is large enough for.
  struct Dataset {
    std::string name;
    Hdf5Id id;
    std::vector<std::uint64_t> shape;
    std::uint64_t elements = 1;
  };
  Dataset open(const std::string& name) const;
  /// All of it, or the elements [begin, begin + count) of one with a single extent.
  void read(const Dataset& dataset, double* out) const;
  void read(const Dataset& dataset, std::uint64_t begin, std::uint64_t count, double* out) const;
  /// Indices of any integer type; one that does not fit 32 bits is a data error.
  void read(const Dataset& dataset, std::uint64_t begin, std::uint64_t count, std::uint32_t* out) const;
  /// Where the dataset's bytes lie in the file: for contiguous datasets of exactly this type; unset otherwise.
  std::optional<FileRange> place(const Dataset& dataset, hid_t type) const;
  std::vector<std::string> read_texts(const Dataset& dataset) const;
  /// Whether a table has a column of this name, and whether it is of this type.
  bool has_column(const Dataset& dataset, const char* column) const { return column_type(dataset, column).valid(); }
  bool column_is(const Dataset& dataset, const char* column, hid_t type) const {
    return H5Tequal(column_type(dataset, column).get(), type) > 0;
  }
  /// Rows of a compound type, matched by member names; a missing member is a data error.
  void read_table(const Dataset& dataset, hid_t memory_type, void* out) const;

  /// Throws a data error about an object of this file.
  [[noreturn]] void damaged(const std::string& object, const std::string& what) const;

 private:
  /// Not valid where it is no table or lacks the column.
  Hdf5Id column_type(const Dataset& dataset, const char* column) const;
  void read_as(const Dataset& dataset, hid_t memory_type, std::uint64_t begin, std::uint64_t count, void* out) const;
  void check_kind(const std::string& kind) const;
  Hdf5Id open_attribute(const std::string& object, const char* name) const;

  Hdf5Session session_;
  std::string path_;
  std::uint64_t file_bytes_ = 0;
  Hdf5Id file_;
};

/// Whether a sound polyad file holds a model.
bool is_hdf5_model(const std::string& path);

}  // namespace polyad
