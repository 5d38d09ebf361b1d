#include <polyad/base/error.hpp>
#include <polyad/base/memory.hpp>
#include <polyad/base/text.hpp>
#include <polyad/io/build.hpp>
#include <polyad/io/format.hpp>
#include <polyad/io/messages.hpp>
#include <polyad/io/numpy/numpy.hpp>
#include <polyad/io/text/unicode.hpp>
#include <polyad/tensor/tensor.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace polyad {
namespace {

constexpr std::size_t magic_bytes = 8;  // "\x93NUMPY", major, minor
constexpr std::size_t longest_header = std::size_t{1} << 20;

// Where the data begin, and the header's text.
template <class Source>
std::pair<std::uint64_t, std::string> header_text(Source& file) {
  const auto too_short = [&] {
    fail(ErrorKind::data, "'{}' is a truncated .npy file: it ends within its header, after {} bytes", file.path(),
         file.size());
  };
  if (file.size() < magic_bytes + 4) too_short();
  std::array<unsigned char, magic_bytes + 4> start{};
  file.read_at(0, reinterpret_cast<char*>(start.data()), start.size());
  const unsigned major = start[6];
  if (major < 1 || major > 3) {
    fail(ErrorKind::data, "'{}' has version {} of the .npy format; polyad reads versions 1 to 3", file.path(), major);
  }
  std::uint64_t length = start[8] + 256u * start[9];
  std::uint64_t begin = magic_bytes + 2;
  if (major > 1) {
    length += 65536ull * start[10] + 16777216ull * start[11];
    begin += 2;
  }
  if (length > longest_header)
    fail(ErrorKind::data, "'{}' is a damaged .npy file: its header claims {} bytes", file.path(), length);
  if (begin + length > file.size()) too_short();
  std::string text(length, '\0');
  file.read_at(begin, text.data(), length);
  return {begin + length, std::move(text)};
}

std::uint64_t cells_of(const std::string& path, const NpyHeader& header, std::uint64_t data_bytes) {
  std::uint64_t cells = 1;
  bool huge = false;
  for (const std::uint64_t extent : header.shape) huge = __builtin_mul_overflow(cells, extent, &cells) || huge;
  std::uint64_t expected = 0;
  huge = __builtin_mul_overflow(cells, header.bytes, &expected) || huge;
  if (huge) fail(ErrorKind::data, "'{}': an array of {} cannot be held", path, joined(header.shape, " x "));
  if (expected != data_bytes) {
    fail(ErrorKind::data, "'{}' is {}: an array of {} has {} bytes of data, the file has {}", path,
         expected > data_bytes ? "a truncated .npy file" : "not one .npy array", joined(header.shape, " x "), expected,
         data_bytes);
  }
  return cells;
}

// One element from the file's bytes; T is the stored type.
template <class T>
double element(const char* bytes, bool swap) {
  std::array<char, sizeof(T)> raw;
  std::memcpy(raw.data(), bytes, sizeof(T));
  if (swap) std::reverse(raw.begin(), raw.end());
  return static_cast<double>(std::bit_cast<T>(raw));
}

double boolean(const char* bytes, bool) {
  return *bytes != 0 ? 1.0 : 0.0;
}

using Convert = double (*)(const char*, bool);

Convert converter(const NpyHeader& header) {
  const auto by_size = [&](auto one, auto two, auto four, auto eight) -> Convert {
    switch (header.bytes) {
      case 1:
        return element<decltype(one)>;
      case 2:
        return element<decltype(two)>;
      case 4:
        return element<decltype(four)>;
      default:
        return element<decltype(eight)>;
    }
  };
  switch (header.kind) {
    case 'f':
      return header.bytes == 4 ? element<float> : element<double>;
    case 'i':
      return by_size(std::int8_t{}, std::int16_t{}, std::int32_t{}, std::int64_t{});
    case 'u':
      return by_size(std::uint8_t{}, std::uint16_t{}, std::uint32_t{}, std::uint64_t{});
    default:
      return boolean;
  }
}

bool is_native(const NpyHeader& header) {
  return header.bytes == 1 || header.big_endian == (std::endian::native == std::endian::big);
}

// Whether the values lie in the file as they would in memory.
bool as_in_memory(const NpyHeader& header) {
  return header.kind == 'f' && header.bytes == 8 && is_native(header) && !header.fortran_order;
}

template <class Source>
AlignedVector<double> read_values(Source& file, const NpyHeader& header, std::uint64_t begin, std::uint64_t cells) {
  require_memory(static_cast<double>(cells) * sizeof(double), "the values of this array");
  AlignedVector<double> values(cells);
  if (as_in_memory(header)) {
    file.read_at(begin, reinterpret_cast<char*>(values.data()), cells * sizeof(double));
    return values;
  }
  const bool native = is_native(header);
  const Convert convert = converter(header);
  FortranWalk walk(header.shape);
  std::vector<char> block(std::size_t{64} * 1024 * header.bytes);
  for (std::uint64_t cell = 0; cell < cells;) {
    const std::uint64_t count = std::min<std::uint64_t>(cells - cell, block.size() / header.bytes);
    file.read_at(begin + cell * header.bytes, block.data(), count * header.bytes);
    for (std::uint64_t i = 0; i < count; ++i, ++cell) {
      const double value = convert(block.data() + i * header.bytes, !native);
      if (header.fortran_order) {
        values[walk.place()] = value;
        walk.next();
      } else {
        values[cell] = value;
      }
    }
  }
  return values;
}

Mappable<double> values_of(InputFile& file, const NpyHeader& header, std::uint64_t begin, std::uint64_t cells,
                           Mapping mapping) {
  const std::size_t bytes = cells * sizeof(double);
  if (bytes > 0 && as_in_memory(header) && begin % sizeof(double) == 0 &&
      worth_mapping(mapping, static_cast<double>(bytes))) {
    auto mapped = map_file(file, begin, bytes);
    const auto* values = static_cast<const double*>(mapped.get());
    return {values, cells, std::move(mapped)};
  }
  return read_values(file, header, begin, cells);
}

// A member of an archive, in memory.
class MemberBytes {
 public:
  MemberBytes(const std::string& path, std::string_view bytes) : path_(path), bytes_(bytes) {}
  const std::string& path() const { return path_; }
  std::uint64_t size() const { return bytes_.size(); }
  void read_at(std::uint64_t offset, char* out, std::size_t count) const {
    std::memcpy(out, bytes_.data() + offset, count);
  }

 private:
  const std::string& path_;
  std::string_view bytes_;
};

}  // namespace

NpyValues npy_values(const std::string& what, std::string_view bytes) {
  MemberBytes source(what, bytes);
  const auto [begin, text] = header_text(source);
  NpyValues out;
  const NpyHeader header = parse_npy_header(what, text);
  out.shape = header.shape;
  out.values = read_values(source, header, begin, cells_of(what, header, bytes.size() - begin));
  return out;
}

std::vector<std::uint64_t> npy_counts(const std::string& what, std::string_view bytes) {
  MemberBytes source(what, bytes);
  const auto [begin, text] = header_text(source);
  const NpyHeader header = parse_npy_header(what, text);
  std::vector<std::uint64_t> out;
  // A list of wide integers, such as extents, does not pass through doubles, which would round those beyond 2^53.
  if (header.kind != 'f' && header.bytes == 8 && header.shape.size() == 1) {
    const std::uint64_t count = cells_of(what, header, bytes.size() - begin);
    for (std::uint64_t i = 0; i < count; ++i) {
      std::array<char, 8> raw;
      source.read_at(begin + 8 * i, raw.data(), raw.size());
      if (!is_native(header)) std::reverse(raw.begin(), raw.end());
      out.push_back(std::bit_cast<std::uint64_t>(raw));
      if (header.kind == 'i' && std::bit_cast<std::int64_t>(raw) < 0) {
        fail(ErrorKind::data, "'{}': {} is not a whole number from 0", what, std::bit_cast<std::int64_t>(raw));
      }
    }
    return out;
  }
  for (const double v : npy_values(what, bytes).values) {
    if (!(v >= 0 && v < 0x1p63 && v == std::floor(v))) {
      fail(ErrorKind::data, "'{}': {} is not a whole number from 0", what, v);
    }
    out.push_back(static_cast<std::uint64_t>(v));
  }
  return out;
}

std::vector<std::string> npy_texts(const std::string& what, std::string_view bytes) {
  MemberBytes source(what, bytes);
  const auto [begin, text] = header_text(source);
  const NpyHeader header = parse_npy_header(what, text, /*texts=*/true);
  if (header.kind != 'U' && header.kind != 'S') fail(ErrorKind::data, "'{}' does not hold texts", what);
  const std::uint64_t count = cells_of(what, header, bytes.size() - begin);
  std::vector<std::string> out(count);
  const std::size_t unit = header.kind == 'U' ? 4 : 1;
  for (std::uint64_t i = 0; i < count; ++i) {
    for (std::size_t at = 0; at + unit <= header.bytes; at += unit) {
      const char* const from = bytes.data() + begin + i * header.bytes + at;
      std::array<unsigned char, 4> raw{};
      std::memcpy(raw.data(), from, unit);
      if (header.big_endian && unit == 4) std::reverse(raw.begin(), raw.end());
      const char32_t code =
          raw[0] | std::uint32_t{raw[1]} << 8 | std::uint32_t{raw[2]} << 16 | std::uint32_t{raw[3]} << 24;
      append_utf8(out[i], code);
    }
    // NumPy fills texts up with zeros; those within a text are its own.
    out[i].erase(out[i].find_last_not_of('\0') + 1);
  }
  return out;
}

namespace {

constexpr std::string_view npy_extensions[] = {".npy"};

Tensor read_npy(InputFile& file, const ReadOptions& options, Remarks* remarks) {
  const std::string& path = file.path();
  if (!file.ordinary()) fail(ErrorKind::file, "cannot read '{}': .npy needs an ordinary file, not a stream", path);
  const auto [begin, text] = header_text(file);
  const NpyHeader header = parse_npy_header(path, text);
  if (header.shape.empty()) fail(ErrorKind::data, "'{}' holds a single number (a 0-d array), not a tensor", path);
  return in_file(path, [&, begin = begin] {
    IndexSpace space(header.shape);
    const std::uint64_t cells = cells_of(path, header, file.size() - begin);
    check_asked_shape(path, space, options);
    return Tensor(
        build_dense(std::move(space), values_of(file, header, begin, cells, options.mapping), options, remarks));
  });
}

}  // namespace

extern constinit const FileFormat npy_format{
    .word = "npy",
    .name = ".npy",
    .what = "a NumPy array",
    .help = "one NumPy array",
    .extensions = npy_extensions,
    .dense = KeepsDense::yes,
    .missing = "NaN",
    .recognises = [](std::string_view start) { return start.starts_with("\x93NUMPY"); },
    .read_tensor = read_npy,
    .write_tensor = [](const std::string& path, const Tensor& tensor, const WriteOptions&) { write_npy(path, tensor); },
};

}  // namespace polyad
