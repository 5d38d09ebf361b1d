#pragma once
// All rows of one mode, the other modes fixed: what `transform` does for new slices, and one block of an alternating method.

#include <polyad/progress.hpp>
#include <polyad/solve/rows/mode_rows.hpp>
#include <polyad/solve/rows/row_newton.hpp>
#include <polyad/solve/rows/row_objective.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace polyad {

enum class RowState : std::uint8_t {
  solved,
  stopped,    ///< no better place was found, or too many steps were taken: the residual says how near it is
  no_data,    ///< none of its cells is data: the row is zero, or at the bound nearest to it
  not_begun,  ///< interrupted before
};

struct SolvedRows {
  Factors factors;  ///< those of `rows.model()`, with the rows of its mode found
  std::vector<RowEnd> ends;
  std::vector<RowState> states;
  double worst_residual = 0;  ///< of all rows with data
};

/// Every row begins at `start` (rank numbers). Rows are solved by any number of threads with the same bits. A step of a row is
/// about a pass of the exact gradient over its cells times (1 + r / 2d).
SolvedRows solve_mode(const ModeRows& rows, const std::vector<double>& start, const RowNewtonSettings& settings,
                      std::size_t threads, const Monitor& monitor = {});

/// Makes the objective of rows, once per task.
using RowFunctionMaker = std::function<std::unique_ptr<RowFunction>()>;

/// Rows whose objective may come from several sources (row_sum.hpp).
struct RowsProblem {
  std::size_t rows = 0;
  RowFunctionMaker make;
};

/// Goes on from the rows of `mode` that `factors` has; an interrupt leaves the others as they are. The same bits on any number of
/// threads.
void refine_mode(const RowsProblem& problem, std::size_t mode, const RowNewtonSettings& settings, std::size_t threads,
                 const Monitor& monitor, Factors& factors);

/// The objective of each row where it stands.
std::vector<double> row_values(const RowsProblem& problem, std::size_t mode, std::size_t threads,
                               const Factors& factors);

}  // namespace polyad
