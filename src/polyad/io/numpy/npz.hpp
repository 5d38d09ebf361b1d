#pragma once
// NumPy's .npz archives. What an archive holds is told by the names of its arrays:
//   coords (d x n), data, shape[, fill_value]   sparse, as pydata/sparse saves it; fill_value NaN: unlisted cells are missing
//   subs (n x d), vals, shape                   sparse, indices from 0
//   data, shape, format and row, col or indices, indptr   a scipy.sparse matrix (coo, csr, csc)
//   weights, factor_1 .. factor_d               a model
//   one other array                             dense, NaN is missing
// Beside these: mode_names (d texts) and labels_1 .. labels_d (a text an index), where there are labels.

#include <polyad/io/input_file.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/io/open.hpp>

namespace polyad {

/// Whether the archive holds a model.
bool is_npz_model(InputFile& file);

Tensor read_npz_tensor(InputFile& file, const ReadOptions& options, Remarks* remarks);
ModelFile read_npz_model(InputFile& file);

/// Dense as `values`, sparse in pydata/sparse's layout; weights and lists of missing cells are refused.
void write_npz_tensor(const std::string& path, const Tensor& tensor);
void write_npz_model(const std::string& path, const ModelFile& file);

}  // namespace polyad
