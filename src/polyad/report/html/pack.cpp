#include <polyad/report/html/pack.hpp>

#include <bit>
#include <cmath>
#include <limits>

namespace polyad {

namespace {

void append_little_endian(std::string& bytes, std::uint32_t word) {
  for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>((word >> shift) & 0xFF));
}

}  // namespace

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      group = (group << 8) | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0u);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      out.push_back(i <= count ? digits[(group >> (18 - 6 * i)) & 63] : '=');
    }
  }
  return out;
}

std::string packed_floats(std::span<const double> values) {
  constexpr double largest = std::numeric_limits<float>::max();
  std::string bytes;
  bytes.reserve(4 * values.size());
  for (const double v : values) {
    const float stored = std::abs(v) <= largest ? static_cast<float>(v) : std::numeric_limits<float>::quiet_NaN();
    append_little_endian(bytes, std::bit_cast<std::uint32_t>(stored));
  }
  return base64(bytes);
}

std::string packed_indices(std::span<const std::uint32_t> indices) {
  std::string bytes;
  bytes.reserve(4 * indices.size());
  for (const std::uint32_t i : indices) append_little_endian(bytes, i);
  return base64(bytes);
}

}  // namespace polyad
