#include <polyad/io/text/decoder.hpp>
#include <polyad/io/text/gunzip.hpp>
#include <polyad/io/text/unzstd.hpp>

#include <zlib.h>
#include <zstd.h>

namespace polyad {
namespace {

std::string inflated_start(std::string_view packed) {
  std::string out(packed.size(), '\0');
  z_stream stream{};
  constexpr int gzip_only = 16;
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

std::unique_ptr<Decoder> make_decoder(InputFile& file) {
  if (file.format() == FileFormat::gzip) return std::make_unique<Gunzip>(file);
  if (file.format() == FileFormat::zstd) return std::make_unique<Unzstd>(file);
  return nullptr;
}

std::string first_content(const InputFile& file) {
  if (file.format() == FileFormat::gzip) return inflated_start(file.start());
  if (file.format() == FileFormat::zstd) return unzstd_start(file.start());
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
