#pragma once
// Streams the content of a zstd file (also of several frames one after the other).

#include <polyad/io/text/decoder.hpp>

#include <zstd.h>

#include <vector>

namespace polyad {

class Unzstd final : public Decoder {
 public:
  explicit Unzstd(InputFile& file);
  ~Unzstd() override;

  std::size_t read(char* out, std::size_t count) override;

 private:
  bool refill();

  InputFile& file_;
  std::vector<char> input_;
  ZSTD_DStream* stream_;
  ZSTD_inBuffer waiting_{};
  std::uint64_t taken_ = 0;  // compressed bytes given to zstd so far
  bool within_frame_ = false;
};

}  // namespace polyad
