#pragma once
// What a pass over all of a tensor's values finds. A tensor from one of polyad's own files brings it along, so that a fit of
// data larger than memory need not read all of them first.

#include <polyad/tensor.hpp>

#include <cstdint>

namespace polyad {

struct TensorFacts {
  ValueFacts values;
  double norm = 0;                ///< Tensor::norm
  std::uint64_t fingerprint = 0;  ///< of the tensor, see below
};

/// A number that differs between different tensors: shape, cells, values, weights, missing cells and what unlisted cells are all enter it,
/// labels do not. O(stored cells), or O(1) where the tensor brings it along.
std::uint64_t fingerprint(const Tensor& tensor);

}  // namespace polyad
