#pragma once
// A tensor in one line, and the values it has in given cells.

#include <polyad/tensor/tensor.hpp>

#include <string>

namespace polyad {

/// "5713 x 24 x 77 x 32, 5,325,328 nonzeros (1.58 % of 337,838,592 cells)"
std::string describe(const Tensor& tensor);

/// The cells among `cells` that are data, with their values; unlisted zeros count as data unless they are missing.
Records values_in(const Tensor& tensor, const Records& cells);

}  // namespace polyad
