#pragma once
// Text into a file that is complete or absent, compressed by gzip on request.

#include <polyad/io/atomic_file.hpp>

#include <fmt/format.h>

#include <memory>
#include <string>

namespace polyad {

class TextSink {
 public:
  TextSink(const std::string& path, bool gzip);
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

 private:
  static constexpr std::size_t block_bytes = std::size_t{256} * 1024;
  struct Deflate;

  void flush(bool last);

  AtomicFile file_;
  fmt::memory_buffer buffer_;
  std::unique_ptr<Deflate> deflate_;
};

}  // namespace polyad
