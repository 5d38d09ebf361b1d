#pragma once
// Zip archives as .npz uses them: members stored or deflated, sizes beyond 4 GB by zip64, no encryption, no spanning.

#include <polyad/io/atomic_file.hpp>
#include <polyad/io/input_file.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace polyad {

struct ZipMember {
  std::string name;
  std::uint16_t method = 0;  ///< 0: stored, 8: deflated
  std::uint32_t crc = 0;
  std::uint64_t packed = 0;  ///< bytes in the archive
  std::uint64_t size = 0;    ///< bytes of content
  std::uint64_t offset = 0;  ///< of its local header
};

class ZipReader {
 public:
  /// Reads the list of members; a data error where the archive is cut or damaged, or where its members come to more than
  /// the file may unpack to (InputFile::most_unpacked; 4 GB at least).
  explicit ZipReader(InputFile& file);

  const std::vector<ZipMember>& members() const { return members_; }
  /// The content, checked against its checksum.
  std::string read(const ZipMember& member) const;

 private:
  [[noreturn]] void damaged(std::string_view what) const;

  InputFile& file_;
  std::vector<ZipMember> members_;
};

/// Writes stored members one after the other, then the list of them.
class ZipWriter {
 public:
  explicit ZipWriter(AtomicFile& file) : file_(file) {}
  /// A member made of two pieces (a header and its data).
  void add(const std::string& name, std::string_view first, std::string_view second);
  void finish();

 private:
  void write(std::string_view bytes);

  AtomicFile& file_;
  std::uint64_t at_ = 0;
  std::vector<ZipMember> members_;
};

}  // namespace polyad
