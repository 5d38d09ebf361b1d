#pragma once
// Where the rows of some cells are: what every kernel over cells, sampled or listed, is given.

#include <polyad/kernel/batch.hpp>
#include <polyad/model.hpp>

#include <array>
#include <cstddef>

namespace polyad {

/// Row 0 of each mode's factor and, where wanted, of its gradient, and the cells' indices into both. Modes may stand in any
/// order.
template <class T>
struct CellRowsOf {
  std::array<const T*, max_modes> factor{};
  std::array<T*, max_modes> gradient{};
  std::array<const Index*, max_modes> index{};
  std::size_t modes = 0;
  std::size_t stride = 0;  ///< numbers per row

  CellRowsOf() = default;
  /// Rows of the model, without cells.
  explicit CellRowsOf(const FactorsOf<T>& model) : modes(model.modes()), stride(model.stride()) {
    for (std::size_t k = 0; k < modes; ++k) factor[k] = model.row(k, 0);
  }
  CellRowsOf(const FactorsOf<T>& model, const Batch& batch) : CellRowsOf(model) {
    for (std::size_t k = 0; k < modes; ++k) index[k] = batch.index[k].data();
  }
  CellRowsOf(const FactorsOf<T>& model, const Batch& batch, FactorsOf<T>& into) : CellRowsOf(model, batch) {
    for (std::size_t k = 0; k < modes; ++k) gradient[k] = into.row(k, 0);
  }
};
using CellRows = CellRowsOf<double>;

}  // namespace polyad
