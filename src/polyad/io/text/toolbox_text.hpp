#pragma once
// Tensor Toolbox text (export_data and import_data of the MATLAB toolbox, also pyttb's). The first line is the type:
//   tensor     number of modes; extents; one value per line, the first index running fastest
//   sptensor   number of modes; extents; number of entries; entries as in .tns, counted from 1
//   matrix     2; extents; one value per line down the columns (MATLAB), or one row per line (pyttb)
//   ktensor    number of modes; extents; rank; weights; then for each mode a matrix with one row per line

#include <polyad/io/model_file.hpp>
#include <polyad/io/open.hpp>

#include <string>

namespace polyad {

/// A dense tensor (missing cells as NaN) or a sparse one whose unlisted cells are zeros.
void write_toolbox_tensor(const std::string& path, const Tensor& tensor);
void write_toolbox_model(const std::string& path, const ModelFile& file);

}  // namespace polyad
