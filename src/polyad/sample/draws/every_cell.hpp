#pragma once
// Cells taken once each, with their own weights, instead of being drawn. Each function fills slots from
// `first` on, which the batch must have, and returns the slot after the last.

#include <polyad/kernel/batch.hpp>
#include <polyad/tensor/dense.hpp>
#include <polyad/tensor/sparse.hpp>

namespace polyad {

std::size_t put_every_observed(const DenseTensor& tensor, std::size_t first, Batch& batch);
std::size_t put_every_listed(const SparseTensor& tensor, std::size_t first, Batch& batch);
/// Walks through the whole space.
std::size_t put_every_zero(const SparseTensor& tensor, std::size_t first, Batch& batch);

}  // namespace polyad
