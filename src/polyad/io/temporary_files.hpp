#pragma once
// Files that nobody should find later. Files in memory and scratch files go with the process that made them. Temporary files
// of writers (atomic_file.hpp) may be left behind by a writer that is killed: it holds a lock (flock) on its file for as long
// as it lives, and the kernel lets go of it with the process, whatever ended it, on this machine or another. A temporary
// file that can be locked is nobody's, and the next writer removes it.

#include <string>
#include <string_view>

namespace polyad {

/// How temporary files begin and end; between the two: process and number.
inline constexpr std::string_view temporary_prefix = ".polyad-write-";
inline constexpr std::string_view temporary_suffix = ".tmp";

/// Locks a file that was just made at `path`; false where another process took it for a stale one meanwhile. Where the file
/// system has no locks nobody removes anything, and the answer is true.
bool lock_temporary(int descriptor, const std::string& path);

/// Removes the temporary files in `folder` that no living writer holds. Looks once per folder and process; trouble is nobody's
/// concern here.
void remove_stale_files(const std::string& folder);

class MemoryFile {
 public:
  MemoryFile();
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int descriptor() const { return descriptor_; }

 private:
  int descriptor_ = -1;
};

/// A file with a name, in memory (/dev/shm) where the system has that, else in the folder for temporary files: for libraries
/// that look at the path itself. It goes with this; one that a killed process left behind goes when the next is made.
class ScratchFile {
 public:
  ScratchFile();
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace polyad
