#pragma once
// A file opened for reading, with its first bytes at hand: the format is told from these, and a stream (a
// pipe, a process substitution) is still read once only.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace polyad {

enum class FileFormat { hdf5, npy, zip, mat5, mat73, gzip, zstd, text, other };

class InputFile {
 public:
  /// File errors: missing, a folder, no permission, ... with the system's reason.
  explicit InputFile(std::string path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& path() const { return path_; }
  /// Ordinary files know their size and can be read at any place; streams cannot.
  bool ordinary() const { return ordinary_; }
  std::uint64_t size() const { return size_; }
  int descriptor() const { return descriptor_; }

  /// The first bytes (fewer where the file is shorter); `read` gives them again.
  std::string_view start() const { return start_; }
  /// What the first bytes say.
  FileFormat format() const;
  /// "a zip archive", "a MATLAB file", ...: for a format polyad knows of but does not read; empty otherwise.
  std::string_view unsupported() const;

  /// The next bytes, at most `count`; 0 only at the end.
  std::size_t read(char* out, std::size_t count);
  /// How many bytes `read` has given.
  std::uint64_t taken() const { return taken_; }
  /// Exactly these bytes of an ordinary file; a data error where it ends before.
  void read_at(std::uint64_t offset, char* out, std::size_t count);

 private:
  std::size_t read_some(char* out, std::size_t count);

  std::string path_;
  int descriptor_ = -1;
  bool ordinary_ = false;
  std::uint64_t size_ = 0;
  std::string start_;
  std::size_t start_used_ = 0;
  std::uint64_t taken_ = 0;
};

/// What the file is, in words: "a NumPy array", "text", ...
std::string format_name(const InputFile& file);

}  // namespace polyad
