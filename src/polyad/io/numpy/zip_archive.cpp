#include <polyad/base/error.hpp>
#include <polyad/base/memory.hpp>
#include <polyad/io/messages.hpp>
#include <polyad/io/numpy/zip_archive.hpp>

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

namespace polyad {
namespace {

constexpr std::uint32_t zip_local = 0x04034b50, zip_central = 0x02014b50, zip_end = 0x06054b50;
constexpr std::uint32_t zip64_end = 0x06064b50, zip64_locator = 0x07064b50;
constexpr std::uint64_t zip_local_bytes = 30, zip_central_bytes = 46, zip_end_bytes = 22, zip64_locator_bytes = 20;
constexpr std::uint64_t zip64_end_bytes = 56, zip_longest_comment = 65535;
constexpr std::uint64_t zip_largest_list = std::uint64_t{64} << 20;
// deflate packs no better than this.
constexpr std::uint64_t zip_most_compression = 1032;
// Arrays of zeros shrink to a thousandth, and are what people have: up to here only memory decides.
constexpr double zip_least_limit = 4e9;
constexpr std::uint32_t all_ones = 0xffffffffu;

// Little-endian numbers out of a string, checked against its end.
std::uint64_t zip_get(std::string_view bytes, std::uint64_t at, int count) {
  std::uint64_t value = 0;
  for (int i = 0; i < count; ++i) {
    if (at + static_cast<unsigned>(i) >= bytes.size()) return std::numeric_limits<std::uint64_t>::max();
    value |= std::uint64_t{static_cast<unsigned char>(bytes[at + static_cast<unsigned>(i)])} << (8 * i);
  }
  return value;
}

void zip_put(std::string& out, std::uint64_t value, int count) {
  for (int i = 0; i < count; ++i) out += i < 8 ? static_cast<char>(value >> (8 * i)) : char{0};
}

// Sizes and place of a member from its zip64 field, as far as the plain fields say they stand there.
void read_zip64_field(std::string_view extra, ZipMember& member) {
  for (std::uint64_t at = 0; at + 4 <= extra.size();) {
    const std::uint64_t tag = zip_get(extra, at, 2);
    const std::uint64_t size = zip_get(extra, at + 2, 2);
    if (tag == 1) {
      std::uint64_t from = at + 4;
      for (std::uint64_t* field : {&member.size, &member.packed, &member.offset}) {
        if (*field != all_ones) continue;
        *field = zip_get(extra, from, 8);
        from += 8;
      }
      return;
    }
    at += 4 + size;
  }
}

std::string inflated(const std::string& packed, std::uint64_t size, bool& ok) {
  std::string out(size, '\0');
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  std::uint64_t in_at = 0, out_at = 0;
  int state = Z_OK;
  constexpr std::uint64_t most = std::uint64_t{1} << 30;
  while (state == Z_OK) {
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + in_at));
    stream.avail_in = static_cast<uInt>(std::min<std::uint64_t>(most, packed.size() - in_at));
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + out_at);
    stream.avail_out = static_cast<uInt>(std::min<std::uint64_t>(most, size - out_at));
    const uInt had_in = stream.avail_in, had_out = stream.avail_out;
    state = inflate(&stream, Z_NO_FLUSH);
    in_at += had_in - stream.avail_in;
    out_at += had_out - stream.avail_out;
    if (state == Z_OK && had_in == stream.avail_in && had_out == stream.avail_out) break;
  }
  inflateEnd(&stream);
  ok = state == Z_STREAM_END && out_at == size;
  return out;
}

std::uint32_t zip_crc(std::uint32_t crc, std::string_view bytes) {
  if (bytes.empty()) return crc;  // zlib takes a null pointer as a wish to begin again
  return static_cast<std::uint32_t>(crc32_z(crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace

void ZipReader::damaged(std::string_view what) const {
  fail(ErrorKind::data, "'{}' is a damaged zip archive: {}; copy or download it again", file_.path(), what);
}

ZipReader::ZipReader(InputFile& file) : file_(file) {
  if (!file.ordinary()) {
    fail(ErrorKind::file, "cannot read '{}': an archive needs an ordinary file, not a stream", file.path());
  }
  const std::uint64_t tail_bytes = std::min(file.size(), zip_end_bytes + zip_longest_comment + zip64_locator_bytes);
  std::string tail(tail_bytes, '\0');
  file.read_at(file.size() - tail_bytes, tail.data(), tail.size());
  const std::size_t found = tail.rfind(std::string_view("PK\x05\x06", 4));
  if (found == std::string::npos || found + zip_end_bytes > tail.size()) damaged("its list of members is missing");
  std::uint64_t count = zip_get(tail, found + 10, 2);
  std::uint64_t list_bytes = zip_get(tail, found + 12, 4);
  std::uint64_t list_at = zip_get(tail, found + 16, 4);
  if (found >= zip64_locator_bytes && zip_get(tail, found - zip64_locator_bytes, 4) == zip64_locator) {
    const std::uint64_t at = zip_get(tail, found - zip64_locator_bytes + 8, 8);
    if (at > file.size() || file.size() - at < zip64_end_bytes) damaged("its list of members is out of place");
    std::string end(zip64_end_bytes, '\0');
    file.read_at(at, end.data(), end.size());
    if (zip_get(end, 0, 4) != zip64_end) damaged("its list of members is out of place");
    count = zip_get(end, 32, 8);
    list_bytes = zip_get(end, 40, 8);
    list_at = zip_get(end, 48, 8);
  }
  if (list_bytes > zip_largest_list || list_at > file.size() || list_bytes > file.size() - list_at) {
    damaged("its list of members is out of place");
  }
  std::string list(list_bytes, '\0');
  file.read_at(list_at, list.data(), list.size());
  double unpacked = 0;
  for (std::uint64_t i = 0, at = 0; i < count; ++i) {
    if (zip_get(list, at, 4) != zip_central) damaged("its list of members makes no sense");
    ZipMember member;
    const std::uint64_t name_bytes = zip_get(list, at + 28, 2);
    const std::uint64_t extra_bytes = zip_get(list, at + 30, 2);
    const std::uint64_t comment_bytes = zip_get(list, at + 32, 2);
    if (at + zip_central_bytes + name_bytes + extra_bytes + comment_bytes > list.size()) {
      damaged("its list of members makes no sense");
    }
    member.method = static_cast<std::uint16_t>(zip_get(list, at + 10, 2));
    member.crc = static_cast<std::uint32_t>(zip_get(list, at + 16, 4));
    member.packed = zip_get(list, at + 20, 4);
    member.size = zip_get(list, at + 24, 4);
    member.offset = zip_get(list, at + 42, 4);
    member.name = list.substr(at + zip_central_bytes, name_bytes);
    read_zip64_field(std::string_view(list).substr(at + zip_central_bytes + name_bytes, extra_bytes), member);
    if ((zip_get(list, at + 8, 2) & 1) != 0) damaged("its members are encrypted");
    unpacked += static_cast<double>(member.size);
    members_.push_back(std::move(member));
    at += zip_central_bytes + name_bytes + extra_bytes + comment_bytes;
  }
  // Of all members, since several of them may lie in the same bytes.
  const double most = file.most_unpacked(zip_least_limit);
  if (unpacked > most) file.unpacks_to_too_much(most);
}

std::string ZipReader::read(const ZipMember& member) const {
  const std::string name = excerpt(member.name);
  if (member.method != 0 && member.method != 8) {
    fail(ErrorKind::data, "'{}': {} is packed by a method that polyad does not read; save it with numpy.savez",
         file_.path(), name);
  }
  std::string header(zip_local_bytes, '\0');
  if (member.offset > file_.size() || file_.size() - member.offset < zip_local_bytes)
    damaged(name + " is out of place");
  file_.read_at(member.offset, header.data(), header.size());
  if (zip_get(header, 0, 4) != zip_local) damaged(name + " is out of place");
  const std::uint64_t begin = member.offset + zip_local_bytes + zip_get(header, 26, 2) + zip_get(header, 28, 2);
  if (begin > file_.size() || member.packed > file_.size() - begin) damaged(name + " ends early");
  const bool believable =
      member.method == 0 ? member.size == member.packed : member.size / zip_most_compression <= member.packed + 1;
  if (!believable) damaged(name + " claims an impossible size");
  require_memory(static_cast<double>(member.packed) + static_cast<double>(member.size), name);
  std::string packed(member.packed, '\0');
  file_.read_at(begin, packed.data(), packed.size());
  bool ok = true;
  std::string content = member.method == 0 ? std::move(packed) : inflated(packed, member.size, ok);
  if (!ok || zip_crc(0, content) != member.crc) damaged(name + " does not agree with its checksum");
  return content;
}

void ZipWriter::write(std::string_view bytes) {
  file_.write(bytes);
  at_ += bytes.size();
}

void ZipWriter::add(const std::string& name, std::string_view first, std::string_view second) {
  ZipMember member;
  member.name = name;
  member.crc = zip_crc(zip_crc(0, first), second);
  member.size = member.packed = first.size() + second.size();
  member.offset = at_;
  // Sizes always in the zip64 field: one form for small and large.
  std::string header;
  zip_put(header, zip_local, 4);
  zip_put(header, 45, 2);      // version needed: zip64
  zip_put(header, 0, 2 + 2);   // flags, stored
  zip_put(header, 0x0000, 2);  // time and date: the first that zip knows
  zip_put(header, 0x0021, 2);
  zip_put(header, member.crc, 4);
  zip_put(header, all_ones, 4);
  zip_put(header, all_ones, 4);
  zip_put(header, name.size(), 2);
  zip_put(header, 20, 2);
  header += name;
  zip_put(header, 1, 2);
  zip_put(header, 16, 2);
  zip_put(header, member.size, 8);
  zip_put(header, member.packed, 8);
  write(header);
  write(first);
  write(second);
  members_.push_back(std::move(member));
}

void ZipWriter::finish() {
  const std::uint64_t list_at = at_;
  std::string list;
  for (const ZipMember& member : members_) {
    zip_put(list, zip_central, 4);
    zip_put(list, 45, 2);
    zip_put(list, 45, 2);
    zip_put(list, 0, 2 + 2);
    zip_put(list, 0x0000, 2);
    zip_put(list, 0x0021, 2);
    zip_put(list, member.crc, 4);
    zip_put(list, all_ones, 4);
    zip_put(list, all_ones, 4);
    zip_put(list, member.name.size(), 2);
    zip_put(list, 28, 2);
    zip_put(list, 0, 2 + 2 + 2 + 4);  // comment, disk, attributes
    zip_put(list, all_ones, 4);
    list += member.name;
    zip_put(list, 1, 2);
    zip_put(list, 24, 2);
    zip_put(list, member.size, 8);
    zip_put(list, member.packed, 8);
    zip_put(list, member.offset, 8);
  }
  const std::uint64_t list_bytes = list.size();
  const std::uint64_t end_at = list_at + list_bytes;
  zip_put(list, zip64_end, 4);
  zip_put(list, zip64_end_bytes - 12, 8);
  zip_put(list, 45, 2);
  zip_put(list, 45, 2);
  zip_put(list, 0, 8);
  zip_put(list, members_.size(), 8);
  zip_put(list, members_.size(), 8);
  zip_put(list, list_bytes, 8);
  zip_put(list, list_at, 8);
  zip_put(list, zip64_locator, 4);
  zip_put(list, 0, 4);
  zip_put(list, end_at, 8);
  zip_put(list, 1, 4);
  zip_put(list, zip_end, 4);
  zip_put(list, 0, 4);
  zip_put(list, std::min<std::uint64_t>(members_.size(), 0xffff), 2);
  zip_put(list, std::min<std::uint64_t>(members_.size(), 0xffff), 2);
  zip_put(list, all_ones, 4);
  zip_put(list, all_ones, 4);
  zip_put(list, 0, 2);
  write(list);
}

}  // namespace polyad
