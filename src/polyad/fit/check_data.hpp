#pragma once
// What is checked before a fit begins: whether the loss is meant for these data (every observed value, implicit zeros included), and
// whether there is memory for what the options ask for. An error names the entry or the option.

#include <polyad/fit.hpp>
#include <polyad/options.hpp>
#include <polyad/tensor/tensor.hpp>

#include <cstdint>
#include <string>

namespace polyad {

/// Throws a data error that names the first offending entry (by index and label), the loss's rule, and a way out.
void check_domain(const Tensor& tensor, const Loss& loss);

/// Few grades, whole or half numbers up to 10, of which the lowest is not the most frequent (as it is of counts) and the highest is
/// not rare: a scale that ends there. Looks at up to a million of the stored values.
bool look_like_ratings(const Tensor& tensor);
/// A sentence for people where the values look like ratings and most cells are zeros only because they are not listed; else empty.
std::string unlisted_ratings(const Tensor& tensor);

/// Memory for the factors of all starts and tries: rank, starts, tries.
void check_factor_memory(const IndexSpace& space, const FitOptions& options, std::uint64_t starts, std::uint64_t tries);

/// Memory that the method adds: samples, estimate-samples, parts, lbfgsb-pairs. Options are resolved.
void check_work_memory(const Tensor& tensor, const FitOptions& used);

}  // namespace polyad
