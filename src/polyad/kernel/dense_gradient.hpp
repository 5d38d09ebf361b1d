#pragma once
// The exact objective and gradient over every cell: model values of a block -> loss -> products, O(cells r) in all.

#include <polyad/kernel/cell_source.hpp>
#include <polyad/loss.hpp>
#include <polyad/model.hpp>

#include <cstddef>

namespace polyad {

/// F = sum w f(x,m) over observed cells; overwrites `gradient`, which has the shape of `model`.
double dense_gradient(const Factors& model, const CellSource& source, const Loss& loss, std::size_t threads,
                      Factors& gradient);

}  // namespace polyad
