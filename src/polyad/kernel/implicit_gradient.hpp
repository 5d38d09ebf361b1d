#pragma once
// The exact objective and gradient of a sparse tensor at O(nnz r d), without visiting its zeros (App. A of the paper):
//
//   F = v sum_all f(0,m) + sum_listed [w f(x,m) - v f(0,m)]
//
// The first sum has a closed form for losses with f(0,m) = m or m^2 (zero_sum.hpp). Where only listed cells are data, v = 0
// and any loss will do. Parts of whole rows are fixed by the data, so results do not depend on the threads.

#include <polyad/kernel/listed_cells.hpp>
#include <polyad/loss.hpp>
#include <polyad/model.hpp>

#include <cstddef>

namespace polyad {

/// Overwrites `gradient`, which has the shape of `model`. The loss must have a closed form where cells.zero_weight is not 0.
double implicit_gradient(const Factors& model, const ListedCells& cells, const Loss& loss, std::size_t threads,
                         Factors& gradient);

}  // namespace polyad
