#pragma once
// Tensor Toolbox text (export_data and import_data of the MATLAB toolbox, also pyttb's). The first line is the type:
//   tensor     number of modes; extents; values one a line, the first index running fastest
//   sptensor   number of modes; extents; number of entries; entries as in .tns, counted from 1
//   matrix     2; extents; values one a line down the columns (MATLAB), or a row a line (pyttb)
//   ktensor    number of modes; extents; rank; weights; then for each mode a matrix with a row a line

#include <polyad/io/input_file.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/io/open.hpp>

#include <string_view>

namespace polyad {

/// "tensor", "sptensor", "matrix" or "ktensor" where such a text begins so; empty otherwise.
std::string_view toolbox_type(std::string_view beginning);

/// Names of outputs in this format: .tensor, .sptensor, .ktensor, .txt.
bool is_toolbox_name(std::string_view path);

Tensor read_toolbox_tensor(InputFile& file, const ReadOptions& options, Remarks* remarks);
ModelFile read_toolbox_model(InputFile& file);

/// A dense tensor (missing cells as NaN) or a sparse one whose unlisted cells are zeros; weights and masks are refused.
void write_toolbox_tensor(const std::string& path, const Tensor& tensor);
void write_toolbox_model(const std::string& path, const ModelFile& file);

}  // namespace polyad
