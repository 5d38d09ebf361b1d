#pragma once
// A part of a file as memory. The system reads what is touched and drops it again when memory is short, so that data larger
// than memory can be used. The file must not be changed in place meanwhile; polyad itself never does that, it replaces files.
// Where another program shortens it, or the disk fails, the system sends SIGBUS.

#include <polyad/io/input_file.hpp>
#include <polyad/io/open.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace polyad {

/// Whether to map data of this size instead of reading them.
bool worth_mapping(Mapping mapping, double bytes);

/// Points at the byte `offset` of the file and keeps the mapping; a file error where the system cannot.
std::shared_ptr<const void> map_file(const InputFile& file, std::uint64_t offset, std::size_t bytes);

}  // namespace polyad
