#pragma once
// What the sources of this folder share: matio's C interface made safe (what is opened and made is closed and freed), and the
// check that a version 5 file is complete. matio takes a variable whose data end early for a whole one, with whatever was in
// memory as its tail; so every length is compared with the bytes that are there before matio sees the file.

#include <polyad/io/input_file.hpp>

#include <matio.h>
#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <memory>
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

/// Throws a data error where an element claims more bytes than the file or the element around it has, a compressed element
/// does not end properly, or an array's values are fewer than its dimensions ask for. O(file), unpacked.
void check_mat5(InputFile& file);

struct CloseMat {
  void operator()(mat_t* file) const { Mat_Close(file); }
};
struct FreeMatVariable {
  void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
};
using MatHandle = std::unique_ptr<mat_t, CloseMat>;
using MatVariable = std::unique_ptr<matvar_t, FreeMatVariable>;

}  // namespace polyad
