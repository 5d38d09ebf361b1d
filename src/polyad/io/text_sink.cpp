#include <polyad/io/text_sink.hpp>

#include <zlib.h>

#include <new>
#include <vector>

namespace polyad {

struct TextSink::Deflate {
  z_stream stream{};
  std::vector<char> output = std::vector<char>(std::size_t{128} * 1024);

  Deflate() {
    constexpr int gzip = 16;
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + gzip, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  Deflate(const Deflate&) = delete;
  Deflate& operator=(const Deflate&) = delete;
  ~Deflate() { deflateEnd(&stream); }
};

TextSink::TextSink(const std::string& path, bool gzip)
    : file_(path), deflate_(gzip ? std::make_unique<Deflate>() : nullptr) {}

TextSink::~TextSink() = default;

void TextSink::flush(bool last) {
  if (!deflate_) {
    file_.write({buffer_.data(), buffer_.size()});
    buffer_.clear();
    return;
  }
  z_stream& stream = deflate_->stream;
  stream.next_in = reinterpret_cast<Bytef*>(buffer_.data());
  stream.avail_in = static_cast<uInt>(buffer_.size());
  do {
    stream.next_out = reinterpret_cast<Bytef*>(deflate_->output.data());
    stream.avail_out = static_cast<uInt>(deflate_->output.size());
    deflate(&stream, last ? Z_FINISH : Z_NO_FLUSH);
    file_.write({deflate_->output.data(), deflate_->output.size() - stream.avail_out});
  } while (stream.avail_out == 0);
  buffer_.clear();
}

void TextSink::commit() {
  flush(true);
  file_.commit();
}

}  // namespace polyad
