#pragma once
// One pass over every cell of a tensor that adds y times the other modes' rows to each mode's matrix:
//
//   out_k(i_k, :) = sum over cells of y_i * prod_{l != k} a_l(i_l, :)
//
// With y = w df/dm this is the exact gradient (Sec. 3 of the paper), with y = w x the MTTKRP of the data. y comes from a rule
// and is never held for more than a block, so no second dense tensor is formed. Leading modes vary slowly and trailing ones
// fast; the products of both are shared (every_cell_blocks.hpp), which makes a pass O(cells r), not O(cells r d).
//
// Cells come from a source, in C order and short runs: a dense tensor without weights hands out its own memory; a sparse one
// fills in its listed cells among zeros.
//
// Cells are cut into fixed pieces by the shape alone; pieces are added in order. Results do not depend on the threads.

#include <polyad/model.hpp>
#include <polyad/tensor/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace polyad {

/// A run of cells. Where the weight is 0 the cell is missing and its value is a harmless 1.
struct CellRun {
  const double* x = nullptr;
  const double* w = nullptr;  ///< null: all weights are 1
};

class CellSource {
 public:
  virtual ~CellSource() = default;
  /// `count` cells from `first` on; the buffers hold `count` values each and may or may not be used.
  virtual CellRun run(std::uint64_t first, std::size_t count, double* x_buffer, double* w_buffer) const = 0;
};

/// The tensor must outlive it. A sparse tensor's space must have an exact number of cells; memory 24 bytes per listed cell.
std::unique_ptr<CellSource> make_cell_source(const Tensor& tensor);

/// What to do with a run of cells: fill y[0 .. count-1] from the run and the model's values m (unless `with_model` is
/// false), and return what is to be summed over all cells.
struct CellRule {
  std::function<double(const CellRun& run, std::size_t count, const double* m, double* y)> apply;
  bool with_model = true;
  /// Only this mode's matrix is wanted; the others are left as they are.
  std::optional<std::size_t> only_mode = {};
};

/// Overwrites the wanted matrices of `out`, which has the shape of `model`; the sum of what the rule returned.
double every_cell_pass(const Factors& model, const CellSource& source, const CellRule& rule, std::size_t threads,
                       Factors& out);

/// The MTTKRP of the data over every cell: out_k(i_k, :) = sum w x prod_{l != k} a_l(i_l, :). Overwrites mode `mode` of `out`,
/// which has the shape of `model`. Missing cells count as zeros.
void dense_mttkrp(const Factors& model, const CellSource& source, std::size_t mode, std::size_t threads, Factors& out);

}  // namespace polyad
