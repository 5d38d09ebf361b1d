#pragma once
// Streams the content of a gzip file (also of several members one after the other, as `cat a.gz b.gz` makes).

#include <polyad/io/text/decoder.hpp>

#include <zlib.h>

#include <cstddef>
#include <vector>

namespace polyad {

class Gunzip final : public Decoder {
 public:
  explicit Gunzip(InputFile& file);
  ~Gunzip() override;

  std::size_t read(char* out, std::size_t count) override;

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
