#include <polyad/report/html/report_parts.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

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

std::vector<std::size_t> thinned(std::span<const double> column, std::size_t stretches) {
  stretches = std::max<std::size_t>(1, stretches);
  std::vector<std::size_t> points;
  if (column.size() <= 2 * stretches) {
    points.resize(column.size());
    std::iota(points.begin(), points.end(), std::size_t{0});
    return points;
  }
  for (std::size_t s = 0; s < stretches; ++s) {
    const auto first = column.begin() + static_cast<std::ptrdiff_t>(s * column.size() / stretches);
    const auto last = column.begin() + static_cast<std::ptrdiff_t>((s + 1) * column.size() / stretches);
    const auto [low, high] = std::minmax_element(first, last);
    const auto a = static_cast<std::size_t>(low - column.begin()), b = static_cast<std::size_t>(high - column.begin());
    points.push_back(std::min(a, b));
    if (a != b) points.push_back(std::max(a, b));
  }
  return points;
}

}  // namespace polyad
