#pragma once
// Text into a file that is complete or absent, compressed where the end of its name asks for it (.gz, .zst).

#include <polyad/io/atomic_file.hpp>

#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>

namespace polyad {

class TextSink {
 public:
  explicit TextSink(const std::string& path);
  ~TextSink();
  TextSink(const TextSink&) = delete;
  TextSink& operator=(const TextSink&) = delete;

  /// Where to append text (fmt::format_to); call `flush_if_full` now and then.
  fmt::memory_buffer& buffer() { return buffer_; }
  void flush_if_full() {
    if (buffer_.size() >= block_bytes) flush(false);
  }
  /// Writes the rest and puts the file in place.
  void commit();

  /// Compresses into the file.
  class Encoder {
   public:
    virtual ~Encoder() = default;
    virtual void encode(std::string_view text, bool last, AtomicFile& file) = 0;
  };

 private:
  static constexpr std::size_t block_bytes = std::size_t{256} * 1024;

  void flush(bool last);

  AtomicFile file_;
  fmt::memory_buffer buffer_;
  std::unique_ptr<Encoder> encoder_;
};

}  // namespace polyad
