#pragma once

#include <polyad/tensor/tensor.hpp>

#include <cstdint>

namespace polyad {

/// A number that tells tensors apart: shape, cells, values, weights, missing cells and what unlisted cells are all enter it,
/// labels do not. O(stored cells), or O(1) where the tensor brings it along.
std::uint64_t fingerprint(const Tensor& tensor);

}  // namespace polyad
