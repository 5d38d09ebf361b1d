#pragma once
// NumPy's .npy (format versions 1 to 3): dense arrays in C or Fortran order, of floats (f4, f8), integers (i1 .. i8,
// u1 .. u8) and booleans, in either byte order. NaN is a missing cell. Written as f8 in C order.

#include <polyad/io/input_file.hpp>
#include <polyad/io/open.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polyad {

struct NpyHeader {
  char kind = 'f';        ///< f, i, u or b
  std::size_t bytes = 8;  ///< an element
  bool big_endian = false;
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
};

/// The dictionary in the header, a Python literal; a data error says what of it polyad cannot use. Texts (U, S) only where
/// `texts` says so; `bytes` is then of a whole text.
NpyHeader parse_npy_header(const std::string& path, std::string_view text, bool texts = false);
/// The bytes before the data of an array.
std::string npy_header(std::string_view type, std::span<const std::uint64_t> shape);

/// An array that lies in memory: a member of an .npz archive. `what` names it in errors.
struct NpyValues {
  std::vector<std::uint64_t> shape;
  AlignedVector<double> values;  ///< in C order
};
NpyValues npy_values(const std::string& what, std::string_view bytes);
/// Whole numbers from 0, exact in any integer type; a data error where there are others.
std::vector<std::uint64_t> npy_counts(const std::string& what, std::string_view bytes);
std::vector<std::string> npy_texts(const std::string& what, std::string_view bytes);

Tensor read_npy(InputFile& file, const ReadOptions& options, Remarks* remarks);
/// A dense tensor without weights (usage errors name the format to use for others); missing cells as NaN.
void write_npy(const std::string& path, const Tensor& tensor);

}  // namespace polyad
