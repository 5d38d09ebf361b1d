#pragma once
// What the reading process gives up before it looks at a file.

#include <cstdint>
#include <string>

namespace polyad {

struct SandboxLimits {
  std::uint64_t memory = 0;   ///< bytes of data; 0: no limit
  std::uint64_t result = 0;   ///< bytes that it may hand over
  std::uint64_t seconds = 0;  ///< of processor time
};

/// Ends with the parent, makes no core file, keeps to the limits.
void limit_this_process(const SandboxLimits& limits);

/// From now on the process can read, write and allocate, and nothing else: no file can be opened, no connection made, no program
/// started. Opening `path` gives another handle on `descriptor`, since libraries open files by name. False where the system
/// offers no filter for system calls; then only the limits hold.
bool close_the_doors(const std::string& path, int descriptor);

}  // namespace polyad
