#pragma once
// What a pass over all of a tensor's values tells. A tensor from one of polyad's own files brings it along, so that a fit of
// data larger than memory need not read all of them first.

#include <cstdint>

namespace polyad {

class Tensor;

/// Facts about the observed values that decide which losses fit.
struct ValueFacts {
  double least = 0, greatest = 0, mean = 0;
  double observed = 0;  ///< cells that are data, implicit zeros included
  double zeros = 0;     ///< of which zero
  double negatives = 0;
  bool whole = true;   ///< all are whole numbers
  bool binary = true;  ///< all are 0 or 1
};

/// O(stored cells), or O(1) where the tensor brings them along.
ValueFacts value_facts(const Tensor& tensor);

struct TensorFacts {
  ValueFacts values;
  double norm = 0;                ///< Tensor::norm
  std::uint64_t fingerprint = 0;  ///< tensor/fingerprint.hpp
};

}  // namespace polyad
