#pragma once
// What the options of a fit ask for, held against the memory there is before anything is allocated. An error names the option
// that asks for too much.

#include <polyad/options.hpp>
#include <polyad/tensor/tensor.hpp>

#include <cstdint>

namespace polyad {

/// Factors of all starts and tries: rank, starts, tries.
void check_factor_memory(const IndexSpace& space, const FitOptions& options, std::uint64_t starts, std::uint64_t tries);

/// What the method adds: samples, estimate-samples, parts, lbfgsb-pairs. Options are resolved.
void check_work_memory(const Tensor& tensor, const FitOptions& used);

}  // namespace polyad
