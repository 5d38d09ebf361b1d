#pragma once
// Is this loss meant for these data? Checked before fitting, over every observed value, implicit zeros included.

#include <polyad/loss/block.hpp>
#include <polyad/tensor/tensor.hpp>

#include <string>
#include <vector>

namespace polyad {

/// Throws a data error that names the first offending entry (by index and label), the loss's rule, and a way out.
void check_domain(const Tensor& tensor, const Loss& loss);

/// The losses that suit such values, best first, with the reason: {"poisson", "counts (whole numbers 0 to 101)"}.
struct LossAdvice {
  std::string loss;
  std::string reason;
};
std::vector<LossAdvice> advise_losses(const ValueFacts& facts);

}  // namespace polyad
