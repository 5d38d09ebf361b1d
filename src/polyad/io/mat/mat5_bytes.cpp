#include <polyad/base/error.hpp>
#include <polyad/io/mat/internal.hpp>

#include <algorithm>
#include <array>
#include <new>

namespace polyad {

Mat5Bytes::Mat5Bytes(InputFile& file, std::uint64_t offset, std::uint64_t bytes, bool compressed)
    : file_(file), at_(offset), end_(offset + bytes), compressed_(compressed) {
  if (!compressed) return;
  input_.resize(std::size_t{64} * 1024);
  if (inflateInit(&stream_) != Z_OK) throw std::bad_alloc();
}

Mat5Bytes::~Mat5Bytes() {
  if (compressed_) inflateEnd(&stream_);
}

std::size_t Mat5Bytes::some(char* out, std::size_t count) {
  if (!compressed_) {
    const std::size_t part = std::min<std::uint64_t>(count, end_ - at_);
    if (part > 0) file_.read_at(at_, out, part);
    at_ += part;
    return part;
  }
  if (ended_ || count == 0) return 0;
  count = std::min(count, input_.size());
  stream_.next_out = reinterpret_cast<Bytef*>(out);
  stream_.avail_out = static_cast<uInt>(count);
  while (stream_.avail_out == count && !ended_) {
    if (stream_.avail_in == 0) {
      const std::size_t part = std::min<std::uint64_t>(input_.size(), end_ - at_);
      if (part == 0) {
        fail(ErrorKind::data, "'{}' is truncated: compressed data end early, at byte {}", file_.path(), at_);
      }
      file_.read_at(at_, input_.data(), part);
      at_ += part;
      stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
      stream_.avail_in = static_cast<uInt>(part);
    }
    const int state = inflate(&stream_, Z_NO_FLUSH);
    if (state == Z_MEM_ERROR) throw std::bad_alloc();
    if (state == Z_STREAM_END) {
      ended_ = true;
    } else if (state != Z_OK && state != Z_BUF_ERROR) {
      fail(ErrorKind::data, "'{}' is damaged: its compressed data cannot be unpacked, near byte {}; use another copy",
           file_.path(), at_ - stream_.avail_in);
    }
  }
  return count - stream_.avail_out;
}

void Mat5Bytes::take(char* out, std::uint64_t count) {
  while (count > 0) {
    const std::size_t got = some(out, static_cast<std::size_t>(count));
    if (got == 0) {
      fail(ErrorKind::data, "'{}' is truncated: its data end early, at byte {}; use another copy", file_.path(), at_);
    }
    out += got;
    count -= got;
  }
}

void Mat5Bytes::skip(std::uint64_t count) {
  if (!compressed_) {
    if (count > end_ - at_) {
      fail(ErrorKind::data, "'{}' is truncated: its data end early, at byte {}; use another copy", file_.path(), end_);
    }
    at_ += count;
    return;
  }
  std::array<char, 16 * 1024> thrown_away;
  while (count > 0) {
    const std::uint64_t part = std::min<std::uint64_t>(count, thrown_away.size());
    take(thrown_away.data(), part);
    count -= part;
  }
}

void Mat5Bytes::expect_end() {
  char one = 0;
  if (some(&one, 1) != 0) {
    fail(ErrorKind::data, "'{}' is damaged: a variable's element is longer than the variable; use another copy",
         file_.path());
  }
}

}  // namespace polyad
