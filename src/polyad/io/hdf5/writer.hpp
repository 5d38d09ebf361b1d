#pragma once
// Builds an HDF5 file in memory (image.hpp), then puts it in place in one go.
//
// Layout: format of HDF5 1.8 (every structure has a checksum), contiguous datasets that begin a page where they are large (can
// be mapped), no time stamps (same content, same bytes).

#include <polyad/io/hdf5/image.hpp>
#include <polyad/io/hdf5/library.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polyad {

class Hdf5Writer {
 public:
  /// `kind` is "tensor", "model" or "checkpoint".
  Hdf5Writer(std::string path, const std::string& kind);

  /// Objects are named by their path from the root; a group comes before what is in it.
  void group(const std::string& name);
  void attribute(const std::string& object, const char* name, const std::string& text);
  void attribute(const std::string& object, const char* name, double value);
  void attribute(const std::string& object, const char* name, std::span<const std::uint64_t> values);
  void dataset(const std::string& name, std::span<const double> values, std::span<const std::uint64_t> shape);
  void dataset(const std::string& name, std::span<const std::uint32_t> values);
  void dataset(const std::string& name, const std::vector<std::string>& texts);
  /// Any other type: `file_type` as stored, `memory_type` as in `data`, `count` elements.
  void table(const std::string& name, hid_t file_type, hid_t memory_type, const void* data, std::uint64_t count);
  /// The data themselves, which are not copied and must stay until the commit: the part of a tensor's file that can be
  /// mapped.
  void large_dataset(const std::string& name, std::span<const double> values, std::span<const std::uint64_t> shape);
  void large_table(const std::string& name, hid_t type, const void* data, std::uint64_t count);

  /// Writes the file, with its checksum, atomically.
  void commit();

 private:
  void write(const std::string& name, hid_t file_type, hid_t memory_type, const void* data,
             std::span<const std::uint64_t> shape);
  void write_attribute(const std::string& object, const char* name, hid_t file_type, hid_t memory_type, hid_t space,
                       const void* data);
  /// Throws where `ok` is false: memory ran out, or a name is not possible.
  void check(bool ok, const std::string& name) const;

  Hdf5Session session_;
  std::string path_;
  Hdf5Image image_;
  Hdf5Id file_;
};

/// Variable-length UTF-8, the type of all texts in polyad's files.
Hdf5Id hdf5_text_type();

}  // namespace polyad
