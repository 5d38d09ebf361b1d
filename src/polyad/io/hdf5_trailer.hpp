#pragma once
// 24 bytes after the end of an HDF5 file that polyad wrote: "POLYADCK", the number of bytes before them and
// the CRC-32 of those bytes (both little endian, 64 bits). HDF5 ignores what follows its end of file, and
// drops it when it changes the file; so a damaged file is told from a sound one before the HDF5 library,
// which can crash on damaged structures, sees it, while files edited by other programs stay readable
// (unchecked).

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace polyad {

inline constexpr std::size_t hdf5_trailer_bytes = 24;

/// The trailer for a file with these bytes.
std::array<char, hdf5_trailer_bytes> hdf5_trailer(std::string_view image);

/// Whether the file has a trailer. Throws a data error where it does not agree with the file's bytes. O(size)
/// where it has one.
bool check_hdf5_trailer(const std::string& path);

}  // namespace polyad
