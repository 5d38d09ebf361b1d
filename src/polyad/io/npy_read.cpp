#include <polyad/io/file_errors.hpp>
#include <polyad/io/npy.hpp>
#include <polyad/io/remarks.hpp>

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace polyad {
namespace {

constexpr std::size_t magic_bytes = 8;  // "\x93NUMPY", major, minor
constexpr std::size_t longest_header = std::size_t{1} << 20;

// Where the data begin, and the header's text.
std::pair<std::uint64_t, std::string> header_text(InputFile& file) {
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
  if (huge) fail(ErrorKind::data, "'{}': an array of {} cannot be held", path, fmt::join(header.shape, " x "));
  if (expected != data_bytes) {
    fail(ErrorKind::data, "'{}' is {}: an array of {} has {} bytes of data, the file has {}", path,
         expected > data_bytes ? "a truncated .npy file" : "not one .npy array", fmt::join(header.shape, " x "),
         expected, data_bytes);
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

// Places in C order of the elements as they come in Fortran order (the first index runs fastest).
class FortranWalk {
 public:
  explicit FortranWalk(const std::vector<std::uint64_t>& shape)
      : shape_(shape), index_(shape.size(), 0), stride_(shape.size(), 1) {
    for (std::size_t k = shape.size(); k-- > 1;) stride_[k - 1] = stride_[k] * shape[k];
  }
  std::uint64_t place() const { return place_; }
  void next() {
    for (std::size_t k = 0; k < shape_.size(); ++k) {
      place_ += stride_[k];
      if (++index_[k] < shape_[k]) return;
      place_ -= stride_[k] * shape_[k];
      index_[k] = 0;
    }
  }

 private:
  const std::vector<std::uint64_t>& shape_;
  std::vector<std::uint64_t> index_;
  std::vector<std::uint64_t> stride_;
  std::uint64_t place_ = 0;
};

AlignedVector<double> read_values(InputFile& file, const NpyHeader& header, std::uint64_t begin, std::uint64_t cells) {
  AlignedVector<double> values(cells);
  const bool native = header.bytes == 1 || header.big_endian == (std::endian::native == std::endian::big);
  if (header.kind == 'f' && header.bytes == 8 && native && !header.fortran_order) {
    file.read_at(begin, reinterpret_cast<char*>(values.data()), cells * sizeof(double));
    return values;
  }
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

}  // namespace

Tensor read_npy(InputFile& file, const ReadOptions& options, Remarks* remarks) {
  const std::string& path = file.path();
  if (!file.ordinary()) fail(ErrorKind::file, "cannot read '{}': .npy needs an ordinary file, not a stream", path);
  const auto [begin, text] = header_text(file);
  const NpyHeader header = parse_npy_header(path, text);
  if (header.shape.empty()) fail(ErrorKind::data, "'{}' holds a single number (a 0-d array), not a tensor", path);
  return in_file(path, [&, begin = begin] {
    IndexSpace space(header.shape);
    const std::uint64_t cells = cells_of(path, header, file.size() - begin);
    if (options.shape && *options.shape != header.shape) {
      fail(ErrorKind::data, "'{}' holds an array of {}, not of {} (--shape)", path, space.to_string(),
           fmt::join(*options.shape, " x "));
    }
    DenseTensor dense(std::move(space), read_values(file, header, begin, cells));
    if (const std::uint64_t missing = dense.cells() - dense.observed()) {
      remark(remarks, "{} of {} cells {} missing (NaN)", missing, dense.cells(), missing == 1 ? "is" : "are");
    }
    if (options.unlisted == Unlisted::missing)
      remark(remarks, "--unlisted missing has no effect: a dense file lists every cell");
    if (options.base) remark(remarks, "--base has no effect: a dense file has no indices");
    return Tensor(std::move(dense));
  });
}

}  // namespace polyad
