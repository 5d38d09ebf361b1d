#pragma once
// An HDF5 file under construction, in memory. Not on disk at once, because the HDF5 library crashes when the disk is full. What
// the library lays out is kept here; large arrays stay where they are and are only noted, so that writing takes no second copy
// of the data, which may even be larger than memory (mapped from another file).

#include <polyad/io/hdf5/library.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

namespace polyad {

class Hdf5Image {
 public:
  /// A driver for H5Pset_driver, whose information is an `Hdf5Image*`.
  static hid_t driver();

  /// What is written from within these bytes is noted, not copied: they must stay until the last piece is taken.
  void refer_to(std::string_view bytes) { referable_ = bytes; }

  /// Where noted arrays lie in the file.
  struct Range {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
  };
  std::vector<Range> noted() const;
  /// The whole file in order; `noted` says whether a piece is of an array that was only noted.
  void for_each_piece(const std::function<void(std::string_view bytes, bool noted)>& visit) const;

  // For the driver:
  void write(std::uint64_t offset, std::string_view bytes);
  void read(std::uint64_t offset, char* out, std::size_t count) const;
  std::uint64_t end = 0;  ///< of the addresses in use

 private:
  static constexpr std::size_t block_bytes = 64 * 1024;
  using Block = std::array<char, block_bytes>;

  std::map<std::uint64_t, std::unique_ptr<Block>> blocks_;  // by number; absent: zeros
  std::map<std::uint64_t, std::string_view> noted_;         // by offset
  std::string_view referable_;
};

}  // namespace polyad
