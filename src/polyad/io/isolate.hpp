#pragma once
// Libraries for rich binary formats (HDF5, matio) can crash, or never end, on files that are damaged or made to do harm.
// Such a file is therefore read by a child process that translates it into polyad's own HDF5 layout, in a scratch file;
// only that is read here. Whatever happens to the child becomes a data error about the file. Files that polyad wrote carry a
// checksum and are read directly.

#include <polyad/io/open.hpp>

#include <functional>
#include <string>

namespace polyad {

/// A file of its own name that goes when this goes: in memory (/dev/shm) where the system has that, else in the folder for
/// temporary files. It has a name because HDF5 opens files by name only.
class ScratchFile {
 public:
  ScratchFile();
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  int descriptor() const { return descriptor_; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int descriptor_ = -1;
};

/// Runs `translate(scratch, remarks)` in a child process, which leaves what it made of `path` in the scratch file. An Error
/// thrown there is thrown here; a crash or a child that does not end is a data error that blames the file. The child may
/// use this much processor time: 20 seconds and one more for every 4 MB of the file.
void isolated(const std::string& path, const ScratchFile& result, Remarks* remarks,
              const std::function<void(const ScratchFile& scratch, Remarks& remarks)>& translate);

}  // namespace polyad
