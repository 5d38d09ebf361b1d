#include <polyad/base/error.hpp>
#include <polyad/io/text/decoder.hpp>

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <new>

namespace polyad {
namespace {

// Reading this much text takes a few seconds at most, whatever it is.
constexpr double least_limit_of_text = 256e6;

constexpr int gzip_only = 16;  // for inflateInit2: no other zlib format

class Gunzip final : public Decoder {
 public:
  explicit Gunzip(InputFile& file) : Decoder(file) {
    if (inflateInit2(&stream_, MAX_WBITS + gzip_only) != Z_OK) throw std::bad_alloc();
  }
  ~Gunzip() override { inflateEnd(&stream_); }

 private:
  std::size_t decode(char* out, std::size_t count) override;
  bool more();
  bool next_member();

  z_stream stream_{};
  bool ended_ = false;
};

bool Gunzip::more() {
  const std::size_t got = refill();
  stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
  stream_.avail_in = static_cast<uInt>(got);
  return got > 0;
}

// After a member: another one, zeros that fill up a tape block, or the end.
bool Gunzip::next_member() {
  bool zeros = false;
  for (;;) {
    if (stream_.avail_in == 0 && !more()) return false;
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

std::size_t Gunzip::decode(char* out, std::size_t count) {
  if (ended_ || count == 0) return 0;
  count = std::min<std::size_t>(count, std::numeric_limits<uInt>::max());
  stream_.next_out = reinterpret_cast<Bytef*>(out);
  stream_.avail_out = static_cast<uInt>(count);
  while (stream_.avail_out == count) {
    if (stream_.avail_in == 0 && !more()) {
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

class Unzstd final : public Decoder {
 public:
  explicit Unzstd(InputFile& file) : Decoder(file), stream_(ZSTD_createDStream()) {
    // Frames may ask for a window of gigabytes; files made by `zstd` without --ultra and --long stay below this.
    constexpr int largest_window_log = 27;
    if (stream_ == nullptr) throw std::bad_alloc();
    ZSTD_DCtx_setParameter(stream_, ZSTD_d_windowLogMax, largest_window_log);
  }
  ~Unzstd() override { ZSTD_freeDStream(stream_); }

 private:
  std::size_t decode(char* out, std::size_t count) override;
  bool more() {
    waiting_ = {input_.data(), refill(), 0};
    return waiting_.size > 0;
  }

  ZSTD_DStream* stream_;
  ZSTD_inBuffer waiting_{};
  bool within_frame_ = false;
};

std::size_t Unzstd::decode(char* out, std::size_t count) {
  ZSTD_outBuffer to{out, count, 0};
  while (to.pos == 0 && count > 0) {
    if (waiting_.pos == waiting_.size && !more()) {
      if (!within_frame_) return 0;
      fail(ErrorKind::data,
           "'{}' is a truncated zstd file: it ends after {} bytes, before its data do; copy or download it again",
           file_.path(), taken_);
    }
    const std::size_t state = ZSTD_decompressStream(stream_, &to, &waiting_);
    if (ZSTD_isError(state) != 0) {
      fail(ErrorKind::data, "'{}' is a damaged zstd file: {} near byte {}; copy or download it again", file_.path(),
           ZSTD_getErrorName(state), taken_ - (waiting_.size - waiting_.pos));
    }
    within_frame_ = state != 0;
  }
  return to.pos;
}

std::string inflated_start(std::string_view packed) {
  std::string out(packed.size(), '\0');
  z_stream stream{};
  if (inflateInit2(&stream, MAX_WBITS + gzip_only) != Z_OK) return {};
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  inflate(&stream, Z_SYNC_FLUSH);
  out.erase(stream.total_out);
  inflateEnd(&stream);
  return out;
}

std::string unzstd_start(std::string_view packed) {
  std::string out(packed.size(), '\0');
  const std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream(ZSTD_createDStream(), ZSTD_freeDStream);
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  ZSTD_outBuffer to{out.data(), out.size(), 0};
  while (stream && in.pos < in.size && to.pos < to.size) {
    const std::size_t before = in.pos + to.pos;
    if (ZSTD_isError(ZSTD_decompressStream(stream.get(), &to, &in)) != 0 || in.pos + to.pos == before) break;
  }
  out.resize(to.pos);
  return out;
}

}  // namespace

Decoder::Decoder(InputFile& file) : file_(file), input_(std::size_t{128} * 1024) {}

std::size_t Decoder::refill() {
  const std::size_t got = file_.read(input_.data(), input_.size());
  taken_ += got;
  return got;
}

std::size_t Decoder::read(char* out, std::size_t count) {
  const std::size_t got = decode(out, count);
  given_ += got;
  const double most = file_.most_unpacked(least_limit_of_text);
  if (static_cast<double>(given_) > most) file_.unpacks_to_too_much(most);
  return got;
}

std::unique_ptr<Decoder> make_decoder(InputFile& file) {
  switch (file.compression()) {
    case Compression::gzip:
      return std::make_unique<Gunzip>(file);
    case Compression::zstd:
      return std::make_unique<Unzstd>(file);
    case Compression::none:
      break;
  }
  return nullptr;
}

std::string first_content(const InputFile& file) {
  switch (file.compression()) {
    case Compression::gzip:
      return inflated_start(file.start());
    case Compression::zstd:
      return unzstd_start(file.start());
    case Compression::none:
      break;
  }
  return std::string(file.start());
}

Compression compression_of(std::string_view path) {
  if (path.ends_with(".gz")) return Compression::gzip;
  return path.ends_with(".zst") ? Compression::zstd : Compression::none;
}

std::string_view without_compression(std::string_view path) {
  if (compression_of(path) != Compression::none) path.remove_suffix(path.ends_with(".gz") ? 3 : 4);
  return path;
}

}  // namespace polyad
