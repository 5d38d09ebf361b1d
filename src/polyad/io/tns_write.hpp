#pragma once

#include <polyad/tensor/tensor.hpp>

#include <string>

namespace polyad {

/// 1-based .tns text, values in their shortest exact form, with comments that keep base, shape, mode names and the meaning of
/// unlisted cells. A dense tensor lists its nonzeros, or, where cells are missing, every observed cell. Labels of indices
/// have no place here; weights and masks of a sparse tensor are refused, because losing them would change the data.
void write_tns(const std::string& path, const Tensor& tensor, bool gzip);

}  // namespace polyad
