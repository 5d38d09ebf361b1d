#pragma once
// A look at a few cells, to learn what sizes the data, their loss and its gradient have.

#include <polyad/kernel/batch.hpp>
#include <polyad/tensor/tensor.hpp>

#include <cstdint>

namespace polyad {

/// About `cells` of the tensor's cells with weights that let them stand for all: drawn like the estimate's (sampler.hpp), all
/// of them where there are no more. The same cells whatever the options of a fit are.
Batch look_at_cells(const Tensor& tensor, std::uint64_t cells);

}  // namespace polyad
