#pragma once
// Streams the content of a gzip file (also of several members one after the other, as `cat a.gz b.gz` makes). A file that
// ends early, fails its checksum or has other bytes behind it is a data error: half a tensor is never taken for one.

#include <polyad/io/input_file.hpp>

#include <zlib.h>

#include <cstddef>
#include <vector>

namespace polyad {

class Gunzip {
 public:
  explicit Gunzip(InputFile& file);
  ~Gunzip();
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;

  /// The next bytes of the content, at most `count`; 0 only at the end.
  std::size_t read(char* out, std::size_t count);

 private:
  bool refill();
  bool next_member();

  InputFile& file_;
  std::vector<char> input_;
  z_stream stream_{};
  std::uint64_t taken_ = 0;  // compressed bytes given to zlib so far
  bool ended_ = false;
};

}  // namespace polyad
