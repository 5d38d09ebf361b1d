#pragma once
// One pass over every cell of a tensor that adds y times the other modes' rows to each mode's matrix:
//
//   out_k(i_k, :) = sum over cells of y_i * prod_{l != k} a_l(i_l, :)
//
// With y = w df/dm this is the exact gradient (Sec. 3 of the paper), with y = w x the MTTKRP of the data. y comes from a rule
// and is never held for more than a block, so no second dense tensor is formed. Leading modes vary slowly and trailing ones
// fast; the products of both are shared (tail_blocks.hpp), which makes a pass O(cells r), not O(cells r d).
//
// Cells are cut into fixed parts by the shape alone; parts are added in order. Results do not depend on the threads.

#include <polyad/kernel/cell_source.hpp>
#include <polyad/model.hpp>

#include <cstddef>
#include <functional>
#include <optional>

namespace polyad {

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

}  // namespace polyad
