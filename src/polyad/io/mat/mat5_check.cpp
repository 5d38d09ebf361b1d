#include <polyad/base/error.hpp>
#include <polyad/io/mat/internal.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

// "MAT-File Format", MathWorks, version 5: a header of 128 bytes, then elements. An element is a tag (type, bytes) and data that fill
// up multiples of 8 bytes; up to 4 bytes of data may lie in the tag. An array (miMATRIX) is made of elements again.

namespace polyad {
namespace {

constexpr std::uint64_t header_bytes = 128;
constexpr std::uint32_t matrix_type = 14;
constexpr std::uint32_t compressed_type = 15;
constexpr std::uint32_t most_nested = 64;
enum Class : std::uint32_t {
  cell = 1,
  structure = 2,
  object = 3,
  text = 4,
  sparse = 5,
  first_number = 6,
  last_number = 15
};
constexpr std::uint32_t complex_flag = 0x800;

// Bytes of a value of each type (miINT8 = 1, ... miUTF32 = 18); 0: not one of numbers.
constexpr std::array<std::uint32_t, 19> type_bytes{0, 1, 1, 2, 2, 4, 4, 4, 0, 8, 0, 0, 8, 8, 0, 0, 1, 2, 4};

struct Tag {
  std::uint32_t type = 0;
  std::uint32_t bytes = 0;
  bool within = false;        // the data are in the tag
  std::uint64_t padding = 0;  // bytes after the data
  std::array<char, 4> data{};
  std::uint64_t all_bytes() const { return within ? 8 : 8 + (std::uint64_t{bytes} + 7) / 8 * 8; }
};

class Check {
 public:
  explicit Check(InputFile& file) : file_(file) {}

  void run() {
    if (file_.size() < header_bytes) fail_cut(file_.size());
    std::array<char, 2> endian{};
    file_.read_at(126, endian.data(), endian.size());
    const std::string_view mark(endian.data(), endian.size());
    if (mark != "IM" && mark != "MI") damaged("its header makes no sense");
    swapped_ = (mark == "IM") != (std::endian::native == std::endian::little);
    for (std::uint64_t at = header_bytes; at < file_.size();) {
      if (file_.size() - at < 8) fail_cut(file_.size());
      Mat5Bytes tag_bytes(file_, at, 8, false);
      const Tag tag = next_tag(tag_bytes);
      // Compressed elements are not filled up.
      const std::uint64_t whole = tag.type == compressed_type ? 8 + std::uint64_t{tag.bytes} : tag.all_bytes();
      if (8 + std::uint64_t{tag.bytes} > file_.size() - at && !tag.within) fail_cut(file_.size());
      if (tag.type == compressed_type) {
        Mat5Bytes bytes(file_, at + 8, tag.bytes, true);
        const Tag inner = next_tag(bytes);
        if (inner.type != matrix_type || inner.within) damaged("a compressed element holds no variable");
        matrix(bytes, inner.bytes, 0);
        bytes.expect_end();
      } else if (tag.type == matrix_type && !tag.within) {
        Mat5Bytes bytes(file_, at + 8, tag.bytes, false);
        matrix(bytes, tag.bytes, 0);
        bytes.expect_end();
      }
      at += std::min(whole, file_.size() - at);
    }
  }

 private:
  [[noreturn]] void fail_cut(std::uint64_t at) const {
    fail(ErrorKind::data, "'{}' is truncated: it ends within a variable, at byte {}; use another copy", file_.path(),
         at);
  }
  [[noreturn]] void damaged(std::string_view what) const {
    fail(ErrorKind::data, "'{}' is damaged: {}; use another copy", file_.path(), what);
  }

  std::uint32_t number(const char* bytes) const {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes, sizeof value);
    return swapped_ ? __builtin_bswap32(value) : value;
  }

  Tag next_tag(Mat5Bytes& bytes) const {
    std::array<char, 8> raw{};
    bytes.take(raw.data(), raw.size());
    Tag tag;
    tag.type = number(raw.data());
    if (tag.type >> 16 == 0) {
      tag.bytes = number(raw.data() + 4);
      return tag;
    }
    tag.within = true;
    tag.bytes = tag.type >> 16;
    tag.type &= 0xffff;
    if (tag.bytes > 4) damaged("a small element is longer than 4 bytes");
    std::memcpy(tag.data.data(), raw.data() + 4, 4);
    return tag;
  }

  // The tag of the next element of an array that has `left` bytes still.
  Tag element(Mat5Bytes& bytes, std::uint64_t& left) const {
    if (left < 8) damaged("a variable ends within its description");
    Tag tag = next_tag(bytes);
    left -= 8;
    if (tag.within) return tag;
    if (tag.bytes > left) damaged("a part of a variable is longer than the variable");
    left -= tag.bytes;
    tag.padding = std::min<std::uint64_t>(left, (8 - tag.bytes % 8) % 8);  // the last part need not be filled up
    left -= tag.padding;
    return tag;
  }

  // Its data, which the caller knows to be small.
  static std::vector<char> data(Mat5Bytes& bytes, const Tag& tag) {
    if (tag.within) return {tag.data.begin(), tag.data.begin() + tag.bytes};
    std::vector<char> out(tag.bytes);
    bytes.take(out.data(), out.size());
    bytes.skip(tag.padding);
    return out;
  }
  static void skip_data(Mat5Bytes& bytes, const Tag& tag) {
    if (tag.within) return;
    bytes.skip(tag.bytes);
    bytes.skip(tag.padding);
  }
  std::uint64_t values_of(const Tag& tag) const {
    if (tag.type >= type_bytes.size() || type_bytes[tag.type] == 0) damaged("values are of no known type");
    if (tag.bytes % type_bytes[tag.type] != 0) damaged("values end within a value");
    return tag.bytes / type_bytes[tag.type];
  }

  void values(Mat5Bytes& bytes, std::uint64_t& left, std::uint64_t count, bool exactly) const {
    const Tag tag = element(bytes, left);
    const std::uint64_t there = values_of(tag);
    if (there < count || (exactly && there != count)) {
      damaged(fmt::format("a variable has {} values where its dimensions ask for {}", there, count));
    }
    skip_data(bytes, tag);
  }

  void sparse_parts(Mat5Bytes& bytes, std::uint64_t& left, std::uint64_t columns, bool is_complex) const {
    const Tag rows = element(bytes, left);
    skip_data(bytes, rows);
    const Tag starts = element(bytes, left);
    if (rows.bytes % 4 != 0 || starts.bytes != 4 * (columns + 1)) damaged("a sparse matrix is not complete");
    const std::vector<char> raw = data(bytes, starts);
    std::uint32_t last = 0;
    for (std::size_t i = 0; i < raw.size(); i += 4) {
      const std::uint32_t start = number(raw.data() + i);
      if (start < last) damaged("the columns of a sparse matrix are not in order");
      last = start;
    }
    if (rows.bytes / 4 < last) damaged("a sparse matrix has fewer row indices than entries");
    // Where there is no entry, some programs write no values, not even their tag.
    if (left == 0 && last == 0) return;
    for (int part = 0; part < (is_complex ? 2 : 1); ++part) values(bytes, left, last, false);
  }

  void matrices(Mat5Bytes& bytes, std::uint64_t& left, std::uint64_t count, std::uint32_t depth) const {
    for (std::uint64_t i = 0; i < count; ++i) {
      const Tag tag = element(bytes, left);
      if (tag.type != matrix_type) damaged("a cell holds no array");
      if (tag.within) continue;
      matrix(bytes, tag.bytes, depth + 1);
      bytes.skip(tag.padding);
    }
  }

  // An array whose tag was read: the `left` bytes that follow.
  void matrix(Mat5Bytes& bytes, std::uint64_t left, std::uint32_t depth) const {
    if (depth > most_nested) damaged(fmt::format("arrays are nested more than {} deep", most_nested));
    if (left == 0) return;  // an empty cell
    const Tag flags_tag = element(bytes, left);
    if (flags_tag.within || flags_tag.bytes != 8) damaged("an array has no flags");
    const std::uint32_t flags = number(data(bytes, flags_tag).data());
    const std::uint32_t kind = flags & 0xff;
    // What only MATLAB can take apart (objects, functions) is refused later, by name.
    if (kind >= cell && kind <= last_number && kind != object) array(bytes, left, kind, flags, depth);
    bytes.skip(left);
  }

  void array(Mat5Bytes& bytes, std::uint64_t& left, std::uint32_t kind, std::uint32_t flags,
             std::uint32_t depth) const {
    const Tag dims_tag = element(bytes, left);
    if (dims_tag.bytes % 4 != 0 || dims_tag.bytes < 8 || dims_tag.bytes > 4096) damaged("an array has no dimensions");
    const std::vector<char> dims = data(bytes, dims_tag);
    std::uint64_t cells = 1;
    for (std::size_t i = 0; i < dims.size(); i += 4) {
      if (__builtin_mul_overflow(cells, number(dims.data() + i), &cells)) damaged("an array is impossibly large");
    }
    const std::uint64_t columns = number(dims.data() + 4);
    const Tag name = element(bytes, left);
    skip_data(bytes, name);
    const bool is_complex = (flags & complex_flag) != 0;
    if (kind == sparse) {
      sparse_parts(bytes, left, columns, is_complex);
    } else if (kind >= first_number) {
      if (cells == 0 && left == 0) return;
      for (int part = 0; part < (is_complex ? 2 : 1); ++part) values(bytes, left, cells, true);
    } else if (kind == cell) {
      matrices(bytes, left, cells, depth);
    } else if (kind == structure) {
      const Tag length_tag = element(bytes, left);
      if (length_tag.bytes != 4) damaged("a struct has no length of its fields' names");
      const std::uint32_t length = number(data(bytes, length_tag).data());
      const Tag names = element(bytes, left);
      skip_data(bytes, names);
      if (length == 0 && names.bytes != 0) damaged("the fields of a struct have no names");
      const std::uint64_t fields = length == 0 ? 0 : names.bytes / length;
      std::uint64_t parts = 0;
      if (__builtin_mul_overflow(fields, cells, &parts)) damaged("a struct is impossibly large");
      matrices(bytes, left, parts, depth);
    }
  }

  InputFile& file_;
  bool swapped_ = false;
};

}  // namespace

void check_mat5(InputFile& file) {
  Check(file).run();
}

}  // namespace polyad
