#pragma once
// The exact objective and gradient of any tensor and loss, by the cheapest way there is:
//
//   dense                               every cell, O(cells r)
//   sparse, loss with a closed form     listed cells, O(nnz r d)        (gaussian, poisson)
//   sparse, only listed cells are data  listed cells, O(nnz r d)
//   sparse, any other loss              every cell, zeros included, O(cells r); refused beyond max_enumerated_cells

#include <polyad/kernel/cell_source.hpp>
#include <polyad/kernel/listed_cells.hpp>
#include <polyad/loss.hpp>
#include <polyad/model.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

namespace polyad {

/// Cells of a sparse tensor that are gone through one by one at most, for a loss without a closed form: some ten seconds an
/// evaluation.
inline constexpr double max_enumerated_cells = 2e9;

class FullGradient {
 public:
  /// The tensor must outlive it. Throws where an evaluation would visit too many cells, or where memory does not suffice.
  FullGradient(const Tensor& tensor, const Loss& loss);

  /// F, and its gradient (the shape of `model`).
  double operator()(const Factors& model, std::size_t threads, Factors& gradient) const;

  /// "9,375,000 cells an evaluation" or "5,325,328 listed cells an evaluation".
  std::string describe() const;

 private:
  const Tensor& tensor_;
  Loss loss_;
  std::optional<ListedCells> listed_;
  std::unique_ptr<CellSource> every_cell_;
};

/// Cells an evaluation visits, without preparing anything. Throws like the constructor where it is refused.
double full_gradient_cells(const Tensor& tensor, const Loss& loss);

}  // namespace polyad
