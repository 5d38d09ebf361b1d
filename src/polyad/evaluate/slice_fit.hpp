#pragma once
// Deviance by slice: every index of every mode.

#include <polyad/evaluate/judged_cells.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/tensor/tensor.hpp>

#include <vector>

namespace polyad {

using SliceFits = std::vector<std::vector<SliceFit>>;

/// Whether the slices of this tensor can be had exactly: its zeros are data without exception and f(0, m) has a closed form.
bool has_exact_slices(const Tensor& tensor, const Loss& loss);
/// O(nnz r d + sum n_k r^2). The losses with a closed form have the identity as link, so m is what is expected.
SliceFits exact_slices(const SparseTensor& tensor, const Factors& model, const Loss& loss, double null_value,
                       LeastLoss& least);
/// From a batch whose weights make its sums estimates over all cells.
SliceFits sampled_slices(const Batch& batch, const JudgedCells& cells, const std::vector<std::uint64_t>& extents);

}  // namespace polyad
