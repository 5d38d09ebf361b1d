#pragma once
// The bytes of one element of a .mat file of version 5, plain or compressed, from its beginning to its end.

#include <polyad/io/input_file.hpp>

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace polyad {

class Mat5Bytes {
 public:
  Mat5Bytes(InputFile& file, std::uint64_t offset, std::uint64_t bytes, bool compressed);
  ~Mat5Bytes();
  Mat5Bytes(const Mat5Bytes&) = delete;
  Mat5Bytes& operator=(const Mat5Bytes&) = delete;

  /// Exactly these bytes; a data error where the element ends before.
  void take(char* out, std::uint64_t count);
  void skip(std::uint64_t count);
  /// A data error where anything is left, or a compressed element has no proper end.
  void expect_end();

 private:
  std::size_t some(char* out, std::size_t count);

  InputFile& file_;
  std::uint64_t at_;
  std::uint64_t end_;
  bool compressed_;
  bool ended_ = false;  // of compressed data
  z_stream stream_{};
  std::vector<char> input_;
};

}  // namespace polyad
