#pragma once
// NumPy's files.
//
// .npy (format versions 1 to 3): a dense array in C or Fortran order, of floats (f4, f8), integers (i1 .. i8, u1 .. u8) or
// booleans, in either byte order. NaN is a missing cell. Written as f8 in C order.
//
// .npz: an archive. The names of its arrays say what it holds:
//   coords (d x n), data, shape[, fill_value]   sparse, as pydata/sparse saves it; fill_value NaN: unlisted cells are missing
//   subs (n x d), vals, shape                   sparse, indices from 0
//   data, shape, format and row, col or indices, indptr   a scipy.sparse matrix (coo, csr, csc)
//   weights, factor_1 .. factor_d               a model
//   one other array                             dense, NaN is missing
// Beside these: mode_names (d texts) and labels_1 .. labels_d (one text per index), where there are labels.

#include <polyad/io/input_file.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/io/open.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polyad {

struct NpyHeader {
  char kind = 'f';        ///< f, i, u or b
  std::size_t bytes = 8;  ///< per element
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

/// A dense tensor without weights; missing cells as NaN.
void write_npy(const std::string& path, const Tensor& tensor);
/// Dense as `values`, sparse in pydata/sparse's layout.
void write_npz_tensor(const std::string& path, const Tensor& tensor);
void write_npz_model(const std::string& path, const ModelFile& file);

}  // namespace polyad
