#include <polyad/base/error.hpp>
#include <polyad/io/hdf5/trailer.hpp>
#include <polyad/io/input_file.hpp>

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

namespace polyad {
namespace {

constexpr std::string_view structure_magic = "POLYADCS";
constexpr std::string_view whole_magic = "POLYADCK";
constexpr std::size_t most_arrays = 2;

std::string number_bytes(std::uint64_t number) {
  std::string out(8, '\0');
  for (int i = 0; i < 8; ++i) out[static_cast<std::size_t>(i)] = static_cast<char>(number >> (8 * i));
  return out;
}

std::uint64_t number_at(const char* in) {
  std::uint64_t number = 0;
  for (int i = 0; i < 8; ++i) number |= std::uint64_t{static_cast<unsigned char>(in[i])} << (8 * i);
  return number;
}

class Crc {
 public:
  void add(std::string_view bytes) {
    value_ = crc32_z(value_, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  }
  std::uint64_t value() const { return value_; }

 private:
  uLong value_ = 0;
};

constexpr std::size_t structure_bytes = 8 + 16 * most_arrays + 8;
constexpr std::size_t whole_bytes = 8 + 16;

void add_part(Crc& crc, InputFile& file, std::uint64_t begin, std::uint64_t end) {
  std::vector<char> buffer(std::min<std::uint64_t>(std::size_t{1} << 20, end - begin));
  for (std::uint64_t at = begin; at < end;) {
    const std::size_t part = std::min<std::uint64_t>(buffer.size(), end - at);
    file.read_at(at, buffer.data(), part);
    crc.add({buffer.data(), part});
    at += part;
  }
}

[[noreturn]] void fail_damaged(const InputFile& file) {
  fail(ErrorKind::data, "'{}' is damaged: its bytes do not agree with the checksum at its end; use another copy",
       file.path());
}

// `length`: of what comes before the last part of the trailer. False where there is no checksum of the structure.
bool check_structure(InputFile& file, std::uint64_t length) {
  if (length < structure_bytes) return false;
  const std::uint64_t content = length - structure_bytes;
  std::array<char, structure_bytes> trailer{};
  file.read_at(content, trailer.data(), trailer.size());
  if (std::string_view(trailer.data(), structure_magic.size()) != structure_magic) return false;
  Crc crc;
  std::uint64_t at = 0;
  for (std::size_t a = 0; a < most_arrays; ++a) {
    const std::uint64_t offset = number_at(trailer.data() + 8 + 16 * a);
    const std::uint64_t bytes = number_at(trailer.data() + 16 + 16 * a);
    if (bytes == 0) continue;
    if (offset < at || offset > content || bytes > content - offset) fail_damaged(file);
    add_part(crc, file, at, offset);
    at = offset + bytes;
  }
  add_part(crc, file, at, content);
  crc.add({trailer.data(), structure_bytes - 8});
  if (number_at(trailer.data() + structure_bytes - 8) != crc.value()) fail_damaged(file);
  return true;
}

}  // namespace

void put_with_trailer(const Hdf5Image& image, const std::function<void(std::string_view)>& put) {
  Crc whole, structure;
  std::uint64_t length = 0;
  const auto put_counted = [&](std::string_view bytes) {
    whole.add(bytes);
    length += bytes.size();
    put(bytes);
  };
  image.for_each_piece([&](std::string_view bytes, bool noted) {
    if (!noted) structure.add(bytes);
    put_counted(bytes);
  });
  std::vector<Hdf5Image::Range> arrays = image.noted();
  if (!arrays.empty() && arrays.size() <= most_arrays) {
    arrays.resize(most_arrays);
    std::string part(structure_magic);
    for (const auto& [offset, bytes] : arrays) part.append(number_bytes(offset)).append(number_bytes(bytes));
    structure.add(part);
    part.append(number_bytes(structure.value()));
    put_counted(part);
  }
  std::string trailer(whole_magic);
  trailer.append(number_bytes(length)).append(number_bytes(whole.value()));
  put(trailer);
}

bool check_hdf5_trailer(InputFile& file, TrailerCheck check) {
  if (file.size() < whole_bytes) return false;
  const std::uint64_t length = file.size() - whole_bytes;
  std::array<char, whole_bytes> trailer{};
  file.read_at(length, trailer.data(), trailer.size());
  if (std::string_view(trailer.data(), whole_magic.size()) != whole_magic) return false;
  if (number_at(trailer.data() + 8) != length) fail_damaged(file);
  if (check == TrailerCheck::structure && check_structure(file, length)) return true;
  Crc crc;
  add_part(crc, file, 0, length);
  if (number_at(trailer.data() + 16) != crc.value()) fail_damaged(file);
  return true;
}

}  // namespace polyad
