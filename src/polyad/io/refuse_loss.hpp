#pragma once
// What a format has no place for is refused where losing it would change the data.

#include <polyad/tensor/tensor.hpp>

#include <string>
#include <string_view>

namespace polyad {

/// Usage errors for weights, lists of missing cells and, unless the format can say so, unlisted cells that are missing.
void refuse_what_has_no_place(const std::string& path, const Tensor& tensor, std::string_view format,
                              bool unlisted_missing);

}  // namespace polyad
