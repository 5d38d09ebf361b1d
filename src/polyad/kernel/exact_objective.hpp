#pragma once
// The exact objective F = sum over observed cells of w f(x,m), and its gradient, for any tensor and loss. There are two
// sources of cells, and one rule says which serves:
//
//   listed cells (listed_cells.hpp)   O(nnz r d)    sparse, where zeros have a closed form (poisson, gaussian) or only listed
//                                                   cells are data: F = v sum_all f(0,m) + sum_listed [w f(x,m) - v f(0,m)]
//   every cell (every_cell.hpp)       O(cells r)    dense; sparse with any other loss, zeros included
//
// Cells are cut into pieces that the data fix, and pieces are added in order: results do not depend on the threads.

#include <polyad/kernel/every_cell.hpp>
#include <polyad/kernel/listed_cells.hpp>
#include <polyad/loss.hpp>
#include <polyad/model.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

namespace polyad {

/// Whether the listed cells suffice.
bool listed_cells_suffice(const Tensor& tensor, const Loss& loss);

/// F, where it takes at most `max_cells` evaluations of the model; empty where it would take more.
std::optional<double> exact_objective(const Factors& model, const Tensor& tensor, const Loss& loss, double max_cells,
                                      std::size_t threads = 1);

/// Cells of a sparse tensor that are visited one by one at most, for a loss without a closed form: some ten seconds per
/// evaluation.
inline constexpr double max_enumerated_cells = 2e9;

/// Cells that one evaluation of the gradient visits, without preparing anything. A usage error where a sparse tensor would
/// need more than `most`.
double exact_gradient_cells(const Tensor& tensor, const Loss& loss, double most = max_enumerated_cells);

class ExactGradient {
 public:
  /// The tensor must outlive it. Throws where an evaluation would visit too many cells, or where memory does not suffice.
  ExactGradient(const Tensor& tensor, const Loss& loss, double most = max_enumerated_cells);

  /// F, and its gradient, which has the shape of `model` and is overwritten.
  double operator()(const Factors& model, std::size_t threads, Factors& gradient) const;

  /// "9,375,000 cells per evaluation" or "5,325,328 listed cells per evaluation".
  std::string describe() const;

 private:
  const Tensor& tensor_;
  Loss loss_;
  std::optional<ListedCells> listed_;
  std::unique_ptr<CellSource> every_cell_;
};

}  // namespace polyad
