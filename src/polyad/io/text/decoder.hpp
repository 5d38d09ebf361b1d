#pragma once
// Compressed content as a stream of plain bytes. What ends early, fails a checksum or has other bytes behind it is a data
// error: half a tensor is never taken for one.

#include <polyad/io/input_file.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace polyad {

class Decoder {
 public:
  Decoder() = default;
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  virtual ~Decoder() = default;

  /// The next bytes of the content, at most `count`; 0 only at the end.
  virtual std::size_t read(char* out, std::size_t count) = 0;
};

/// The decoder that the file's format asks for (gzip, zstd); nullptr where the content is plain.
std::unique_ptr<Decoder> make_decoder(InputFile& file);

/// The first bytes of the content, as far as the first bytes of the file give them: for telling kinds of text apart without
/// reading on.
std::string first_content(const InputFile& file);

enum class Compression { none, gzip, zstd };

/// What the end of an output's name asks for (.gz, .zst), and the name without it.
Compression compression_of(std::string_view path);
std::string_view without_compression(std::string_view path);

}  // namespace polyad
