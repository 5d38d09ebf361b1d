#pragma once
// Small matrix products over a block of neighbouring cells: what the dense kernels are made of. Neighbouring cells share
// their leading indices, whose product of rows p is formed once; a table holds the products of the trailing modes' rows,
// one line per component, so that vectors run along cells and no lane is lost to the rank.
//
//   tail_model:    m[row][c]  = sum_j p[row][j] table[j][c]
//   tail_scatter:  sums[j][c] += sum_row p[row][j] y[row][c]          (towards the trailing modes' gradients)
//                  q[row][j]   = sum_c y[row][c] table[j][c]          (towards the leading modes' gradients)
//
// At most four rows at once, so that a vector of the table serves four of them while it is in a register.

#include <cstddef>

namespace polyad {

inline constexpr std::size_t tail_rows = 4;
/// Cells per block: table, sums and values of a block stay in the first-level cache for moderate ranks.
inline constexpr std::size_t tail_cells = 128;
/// Lines of the table are padded with zeros to a multiple of this.
inline constexpr std::size_t tail_padding = 16;

constexpr std::size_t padded_cells(std::size_t cells) {
  return (cells + tail_padding - 1) / tail_padding * tail_padding;
}

/// One block. `cells` is a multiple of tail_padding; values beyond the real cells must be 0 in `y`.
struct TailBlock {
  const double* table = nullptr;
  std::size_t table_line = 0;  ///< distance of the table's lines
  std::size_t rank = 0;
  std::size_t cells = 0;
  std::size_t rows = 0;       ///< 1 to tail_rows
  const double* p = nullptr;  ///< rows x rank
};

/// `m` holds tail_rows lines of tail_cells.
void tail_model(const TailBlock& block, double* m);

/// `sums` (lines of `sums_line`) or `q` (rows x rank) may be null where not wanted.
void tail_scatter(const TailBlock& block, const double* y, double* sums, std::size_t sums_line, double* q);

}  // namespace polyad
