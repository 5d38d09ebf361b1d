#include <polyad/base/error.hpp>
#include <polyad/io/hdf5_trailer.hpp>
#include <polyad/io/input_file.hpp>

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace polyad {
namespace {

constexpr std::string_view magic = "POLYADCK";

void put(char* out, std::uint64_t number) {
  for (int i = 0; i < 8; ++i) out[i] = static_cast<char>(number >> (8 * i));
}

std::uint64_t get(const char* in) {
  std::uint64_t number = 0;
  for (int i = 0; i < 8; ++i) number |= std::uint64_t{static_cast<unsigned char>(in[i])} << (8 * i);
  return number;
}

std::uint64_t add_to_crc(std::uint64_t crc, std::string_view bytes) {
  return crc32_z(static_cast<uLong>(crc), reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
}

}  // namespace

std::array<char, hdf5_trailer_bytes> hdf5_trailer(std::string_view image) {
  std::array<char, hdf5_trailer_bytes> trailer{};
  std::memcpy(trailer.data(), magic.data(), magic.size());
  put(trailer.data() + 8, image.size());
  put(trailer.data() + 16, add_to_crc(0, image));
  return trailer;
}

bool check_hdf5_trailer(const std::string& path) {
  InputFile file(path);
  const std::uint64_t size = file.size();
  if (size < hdf5_trailer_bytes) return false;
  const std::uint64_t length = size - hdf5_trailer_bytes;
  std::array<char, hdf5_trailer_bytes> trailer{};
  file.read_at(length, trailer.data(), trailer.size());
  if (std::string_view(trailer.data(), magic.size()) != magic) return false;

  std::vector<char> buffer(std::size_t{1} << 20);
  std::uint64_t crc = 0;
  for (std::uint64_t at = 0; at < length;) {
    const std::size_t part = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), length - at));
    file.read_at(at, buffer.data(), part);
    crc = add_to_crc(crc, {buffer.data(), part});
    at += part;
  }
  if (get(trailer.data() + 8) != length || get(trailer.data() + 16) != crc) {
    fail(ErrorKind::data, "'{}' is damaged: its bytes do not agree with the checksum at its end; use another copy",
         path);
  }
  return true;
}

}  // namespace polyad
