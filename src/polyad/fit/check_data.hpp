#pragma once
// Is this loss meant for these data? Checked before fitting, over every observed value, implicit zeros included.

#include <polyad/fit.hpp>
#include <polyad/tensor/tensor.hpp>

namespace polyad {

/// Throws a data error that names the first offending entry (by index and label), the loss's rule, and a way out.
void check_domain(const Tensor& tensor, const Loss& loss);

}  // namespace polyad
