#pragma once
// Files that are complete or absent: write to a temporary name in the same folder, fsync, rename, fsync the
// folder. What killed writers left in the folder is removed by the next one (temporary_files.hpp).

#include <string>
#include <string_view>

namespace polyad {

class AtomicFile {
 public:
  /// Chooses and creates the temporary file beside `path`; a file error says why it cannot. A symbolic link
  /// is followed, an existing file's permissions are kept, a new one gets what the umask leaves.
  explicit AtomicFile(std::string path);
  /// Removes the temporary file unless committed.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Where to write meanwhile (for libraries that open by name).
  const std::string& temporary_path() const { return temporary_; }
  /// Appends to the temporary file.
  void write(std::string_view bytes);
  /// Flushes to disk and takes the place of `path`.
  void commit();

 private:
  std::string path_;    // as the caller wrote it, for messages
  std::string target_;  // what is replaced: the end of a chain of symbolic links
  std::string temporary_;
  int descriptor_ = -1;
  bool committed_ = false;
};

/// All of the bytes into an open file; a file error names `path`.
void write_all(int descriptor, const std::string& path, std::string_view bytes);

/// The whole of `text` into `path`, atomically.
void write_text_file(const std::string& path, std::string_view text);

/// Throws the error that writing `path` would meet now (no such folder, no permission, ...): for long
/// computations, which should not find out at their end. Leaves nothing behind.
void check_writable(const std::string& path);

}  // namespace polyad
