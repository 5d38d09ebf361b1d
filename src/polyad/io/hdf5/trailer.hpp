#pragma once
// Checksums, in bytes that polyad appends to its HDF5 files. HDF5 ignores what follows its own end of file, and drops it when
// it changes the file: so damage is found before anything is read, and files that other programs have edited stay readable,
// unchecked. All numbers are 64 bits, little endian:
//
//   "POLYADCS"  48 bytes, only where there are large arrays: their ranges (offset and bytes of two; 0 and 0: none) and the
//               CRC-32 of everything else before, and of this. It lets a file be mapped without reading all of it.
//   "POLYADCK"  24 bytes: how many bytes come before, and the CRC-32 of all of these.

#include <polyad/io/hdf5/image.hpp>
#include <polyad/io/input_file.hpp>

#include <functional>
#include <string_view>

namespace polyad {

/// Calls `put` with the file's bytes, piece by piece, and with its trailer.
void put_with_trailer(const Hdf5Image& image, const std::function<void(std::string_view)>& put);

/// How much to compare with the checksums.
enum class TrailerCheck {
  whole,
  structure,  ///< not the large arrays
};

/// Whether the file has a trailer. Throws a data error where it does not agree with the file's bytes. O(what is compared)
/// where it has one.
bool check_hdf5_trailer(InputFile& file, TrailerCheck check);

}  // namespace polyad
