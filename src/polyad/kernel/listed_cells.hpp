#pragma once
// The listed cells of a tensor in the order of one mode's rows: what exact kernels walk through, where samplers draw from
// shuffled records. Cells of one row lie together, so that a row and its sums stay in registers, a row belongs to one thread,
// and row subproblems (CP-APR, weighted CP-ALS) find their data in one stretch.
//
// All cells not listed are zeros of weight v. F = v sum_all f(0,m) + sum_listed [w f(x,m) - v f(0,m)], so a missing cell is
// simply listed with w = 0, and where only listed cells are data v is 0.

#include <polyad/detail/aligned.hpp>
#include <polyad/kernel/batch.hpp>
#include <polyad/model.hpp>
#include <polyad/tensor/tensor.hpp>

#include <cstddef>
#include <vector>

namespace polyad {

struct ListedCells {
  std::size_t mode = 0;                     ///< whose rows are in order
  std::vector<std::size_t> row_begin;       ///< of each row of that mode, and the end
  std::vector<AlignedVector<Index>> index;  ///< one array per mode
  AlignedVector<double> x;
  AlignedVector<double> w;  ///< empty: all 1
  double zero_weight = 1;   ///< v
  bool corrected = false;   ///< some w differs from v

  std::size_t size() const { return x.size(); }
  std::size_t modes() const { return index.size(); }
  double weight(std::size_t t) const { return w.empty() ? 1.0 : w[t]; }
};

/// Bytes that `listed_cells` takes.
double listed_cells_bytes(const Tensor& tensor);

/// In the order of the largest mode. Of a complete dense tensor without weights the nonzero cells are listed; of any other
/// dense tensor all observed cells, with v = 0.
ListedCells listed_cells(const Tensor& tensor);

/// The same cells by the rows of `mode`; within a row they keep their order.
ListedCells in_order_of(const ListedCells& cells, std::size_t mode, std::size_t rows);

/// Divides all weights by a power of two near a typical one, which is returned: what is found then does not depend on their
/// unit.
double take_out_weight_unit(ListedCells& cells);

/// Fixed ranges of cells, each of whole rows, `rows[p] .. rows[p+1]`: at most `pieces` of about equal size.
std::vector<std::size_t> whole_row_pieces(const ListedCells& cells, std::size_t pieces);

/// The modes of `cells` with the one in order first, and where their rows are; no cells yet.
CellRows rows_of(const ListedCells& cells, const Factors& model);

/// Lets `rows` be those of the cells from `first` on.
void move_to(const ListedCells& cells, std::size_t first, CellRows& rows);

/// The mode at position `at` of these rows.
std::size_t mode_at(const ListedCells& cells, std::size_t at);

}  // namespace polyad
