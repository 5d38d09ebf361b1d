#include <polyad/io/text/decoder.hpp>
#include <polyad/io/text/text_sink.hpp>

#include <zlib.h>
#include <zstd.h>

#include <new>
#include <vector>

namespace polyad {
namespace {

class Gzip final : public TextSink::Encoder {
 public:
  Gzip() {
    constexpr int gzip = 16;
    if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + gzip, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;
  ~Gzip() override { deflateEnd(&stream_); }

  void encode(std::string_view text, bool last, AtomicFile& file) override {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream_.avail_in = static_cast<uInt>(text.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(output_.data());
      stream_.avail_out = static_cast<uInt>(output_.size());
      deflate(&stream_, last ? Z_FINISH : Z_NO_FLUSH);
      file.write({output_.data(), output_.size() - stream_.avail_out});
    } while (stream_.avail_out == 0);
  }

 private:
  z_stream stream_{};
  std::vector<char> output_ = std::vector<char>(std::size_t{128} * 1024);
};

class Zstd final : public TextSink::Encoder {
 public:
  Zstd() : stream_(ZSTD_createCStream()), output_(ZSTD_CStreamOutSize()) {
    if (stream_ == nullptr) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(stream_, ZSTD_c_checksumFlag, 1);
  }
  Zstd(const Zstd&) = delete;
  Zstd& operator=(const Zstd&) = delete;
  ~Zstd() override { ZSTD_freeCStream(stream_); }

  void encode(std::string_view text, bool last, AtomicFile& file) override {
    ZSTD_inBuffer in{text.data(), text.size(), 0};
    for (;;) {
      ZSTD_outBuffer to{output_.data(), output_.size(), 0};
      const std::size_t left = ZSTD_compressStream2(stream_, &to, &in, last ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_isError(left) != 0) throw std::bad_alloc();  // with sound parameters only memory can run out
      file.write({output_.data(), to.pos});
      if (last ? left == 0 : in.pos == in.size) return;
    }
  }

 private:
  ZSTD_CStream* stream_;
  std::vector<char> output_;
};

std::unique_ptr<TextSink::Encoder> make_encoder(Compression compression) {
  if (compression == Compression::gzip) return std::make_unique<Gzip>();
  if (compression == Compression::zstd) return std::make_unique<Zstd>();
  return nullptr;
}

}  // namespace

TextSink::TextSink(const std::string& path) : file_(path), encoder_(make_encoder(compression_of(path))) {}

TextSink::~TextSink() = default;

void TextSink::flush(bool last) {
  const std::string_view text(buffer_.data(), buffer_.size());
  if (encoder_) {
    encoder_->encode(text, last, file_);
  } else {
    file_.write(text);
  }
  buffer_.clear();
}

void TextSink::commit() {
  flush(true);
  file_.commit();
}

}  // namespace polyad
