#pragma once
// A file opened for reading, with its first bytes at hand: its format is recognised by these (format.hpp), and a stream (a
// pipe, a process substitution) is still read only once. An ordinary file can also be read at any place, or mapped.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace polyad {

enum class Compression { none, gzip, zstd };

class InputFile {
 public:
  /// File errors: missing, a folder, no permission, ... with the system's reason. `unpacked_limit`: see most_unpacked().
  explicit InputFile(std::string path, std::optional<double> unpacked_limit = std::nullopt);
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
  /// Whether the whole file is compressed, as its first bytes say.
  Compression compression() const;

  /// The next bytes, at most `count`; 0 only at the end.
  std::size_t read(char* out, std::size_t count);
  /// How many bytes `read` has given.
  std::uint64_t taken() const { return taken_; }
  /// Exactly these bytes of an ordinary file; a data error where it ends before.
  void read_at(std::uint64_t offset, char* out, std::size_t count);

  /// How many bytes compressed content may come to, so that a small file cannot keep a machine busy or fill its memory: the
  /// limit given to the constructor, in GB, else 200 times what is compressed, or `at_least` where that is more.
  double most_unpacked(double at_least) const;
  /// A data error that says how to raise the limit; `most` is what it is.
  [[noreturn]] void unpacks_to_too_much(double most) const;

 private:
  std::size_t read_some(char* out, std::size_t count);

  std::string path_;
  std::optional<double> unpacked_limit_;
  int descriptor_ = -1;
  bool ordinary_ = false;
  std::uint64_t size_ = 0;
  std::string start_;
  std::size_t start_used_ = 0;
  std::uint64_t taken_ = 0;
};

/// Points at the byte `offset` of the file, as memory, and keeps the mapping; a file error where the system cannot. The system
/// reads what is touched and drops it again when memory is short, so that data larger than memory can be used. The file must
/// not be changed in place meanwhile; polyad itself never does that, it replaces files. Where another program shortens it, or
/// the disk fails, the system sends SIGBUS.
std::shared_ptr<const void> map_file(const InputFile& file, std::uint64_t offset, std::size_t bytes);

}  // namespace polyad
