#include <polyad/base/error.hpp>
#include <polyad/io/text/gunzip.hpp>

#include <algorithm>
#include <limits>
#include <new>

namespace polyad {

Gunzip::Gunzip(InputFile& file) : file_(file), input_(std::size_t{128} * 1024) {
  constexpr int gzip_only = 16;
  if (inflateInit2(&stream_, MAX_WBITS + gzip_only) != Z_OK) throw std::bad_alloc();
}

Gunzip::~Gunzip() {
  inflateEnd(&stream_);
}

bool Gunzip::refill() {
  const std::size_t got = file_.read(input_.data(), input_.size());
  stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
  stream_.avail_in = static_cast<uInt>(got);
  taken_ += got;
  return got > 0;
}

// After a member: another one, zeros that fill up a tape block, or the end.
bool Gunzip::next_member() {
  bool zeros = false;
  for (;;) {
    if (stream_.avail_in == 0 && !refill()) return false;
    if (*stream_.next_in != 0) break;
    zeros = true;
    ++stream_.next_in;
    --stream_.avail_in;
  }
  if (zeros || *stream_.next_in != 0x1f) {
    fail(ErrorKind::data, "'{}' is damaged: other bytes follow its gzip data, from byte {} on", file_.path(),
         taken_ - stream_.avail_in);
  }
  inflateReset(&stream_);
  return true;
}

std::size_t Gunzip::read(char* out, std::size_t count) {
  if (ended_ || count == 0) return 0;
  count = std::min<std::size_t>(count, std::numeric_limits<uInt>::max());
  stream_.next_out = reinterpret_cast<Bytef*>(out);
  stream_.avail_out = static_cast<uInt>(count);
  while (stream_.avail_out == count) {
    if (stream_.avail_in == 0 && !refill()) {
      fail(ErrorKind::data,
           "'{}' is a truncated gzip file: it ends after {} bytes, before its data do; copy or download it again",
           file_.path(), taken_);
    }
    const int state = inflate(&stream_, Z_NO_FLUSH);
    if (state == Z_STREAM_END) {
      if (!next_member()) {
        ended_ = true;
        break;
      }
    } else if (state == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (state != Z_OK && state != Z_BUF_ERROR) {
      fail(ErrorKind::data, "'{}' is a damaged gzip file: {} near byte {}; copy or download it again", file_.path(),
           stream_.msg != nullptr ? stream_.msg : "unexpected data", taken_ - stream_.avail_in);
    }
  }
  return count - stream_.avail_out;
}

}  // namespace polyad
