#pragma once

#include <zlib.h>

#include <stdexcept>
#include <string>

namespace polyad {

/// A gzip member, made without polyad's own writer.
inline std::string gzipped(const std::string& text) {
  z_stream stream{};
  constexpr int gzip = 16;
  if (deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + gzip, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) throw std::runtime_error("deflate");
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace polyad
