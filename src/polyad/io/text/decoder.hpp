#pragma once
// Compressed content (gzip, also of several members as `cat a.gz b.gz` makes; zstd, also of several frames) as a stream of
// plain bytes. What ends early, fails a checksum or has other bytes behind it is a data error: half a tensor is never taken
// for one. What unpacks to far more than its size lets expect is refused as well (InputFile::most_unpacked).

#include <polyad/io/input_file.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace polyad {

class Decoder {
 public:
  explicit Decoder(InputFile& file);
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  virtual ~Decoder() = default;

  /// The next bytes of the content, at most `count`; 0 only at the end.
  std::size_t read(char* out, std::size_t count);

 protected:
  virtual std::size_t decode(char* out, std::size_t count) = 0;
  /// The next compressed bytes, in `input_`; 0 at the end.
  std::size_t refill();

  InputFile& file_;
  std::vector<char> input_;
  std::uint64_t taken_ = 0;  // compressed bytes so far

 private:
  std::uint64_t given_ = 0;  // bytes of content so far
};

/// The decoder that the file's content asks for; nullptr where it is plain.
std::unique_ptr<Decoder> make_decoder(InputFile& file);

/// The first bytes of the content, as far as the first bytes of the file give them: for telling kinds of text apart without
/// reading on.
std::string first_content(const InputFile& file);

/// What the end of an output's name asks for (.gz, .zst), and the name without it.
Compression compression_of(std::string_view path);
std::string_view without_compression(std::string_view path);

}  // namespace polyad
