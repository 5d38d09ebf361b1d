#pragma once

#include <polyad/tensor/tensor.hpp>

#include <string>

namespace polyad {

/// 1-based .tns text, values in their shortest exact form, compressed where the name ends so, with comments that keep base,
/// shape, labels and the meaning of unlisted cells. A dense tensor lists its nonzeros, or, where cells are missing, every
/// observed cell. Weights and masks of a sparse tensor are refused, because losing them would change the data.
void write_tns(const std::string& path, const Tensor& tensor);

}  // namespace polyad
