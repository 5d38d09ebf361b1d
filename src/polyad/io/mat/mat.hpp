#pragma once
// MATLAB's .mat files, version 5 (also compressed) and 7.3, through matio. A tensor is
//   an array                        dense; NaN is missing
//   a sparse matrix                 sparse, two modes
//   a struct with field data        dense, as struct(tensor) gives it
//   a struct with subs, vals, size  sparse, indices from 1, as struct(sptensor) gives it
// and a model a struct with lambda and u (a cell array of factor matrices), as struct(ktensor) gives it. Structs may also
// have mode_names (a cell array of texts) and labels (a cell array with, for each mode, a cell array of texts).
// Objects of MATLAB classes are refused: MATLAB alone can take them apart.

#include <polyad/io/build.hpp>
#include <polyad/io/model_file.hpp>

namespace polyad {

/// For the reading process (isolated/reader.hpp): matio is not safe with damaged files. `variable` may be empty.
RawTensor read_mat_raw(const std::string& path, const std::string& variable);
ModelFile read_mat_model(const std::string& path, Remarks& remarks);
bool is_mat_model(const std::string& path);

/// As structs X (tensors) and M (models). Version 5, or 7.3 where asked for or an array is beyond version 5's 2 GB.
void write_mat_tensor(const std::string& path, const Tensor& tensor, bool version_73);
void write_mat_model(const std::string& path, const ModelFile& file, bool version_73);

}  // namespace polyad
