#pragma once
// What samplers say of the cells they draw from, and whether there are any.

#include <polyad/base/text.hpp>
#include <polyad/tensor/tensor.hpp>

#include <cstdint>
#include <string>

namespace polyad {

/// "1,000 of 524,468 nonzeros".
std::string describe_draws(std::uint64_t samples, double cells, const std::string& what);
/// What the listed entries of a sparse tensor are, for people: "nonzeros", or "listed entries" where zeros
/// are among them.
std::string listed_noun(const SparseTensor& tensor);

/// What a tensor stores, for people: "5,325,328 listed cells" where it is sparse, "9,375,000 cells" where it is dense.
std::string describe_stored(const Tensor& tensor);

/// Whether the unlisted cells of a sparse tensor are data.
bool zeros_are_data(const SparseTensor& tensor);
/// A data error where every cell is missing: no sampler can serve then.
void check_something_observed(const Tensor& tensor);

}  // namespace polyad
