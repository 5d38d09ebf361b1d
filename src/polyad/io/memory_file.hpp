#pragma once
// A file without a name, in memory: it goes with the last process that has it open, however that ends.

#include <string>

namespace polyad {

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
