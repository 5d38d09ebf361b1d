#pragma once
// Totals of cells by slice and by pair of modes: what was observed and what the model expects there.
//
//   closed   all cells of a sparse tensor by column sums: mean(i) = sum_j a(i, j) prod_{others} (sum of column j)
//   visited  the same by visiting every cell, where the mean is no linear function of m
//   stored   where only stored cells are data, their sum
//
// O(stored cells) per table, and O(r) per entry of the table. Tables are summed by one thread each, in the order of the cells, so
// that they do not depend on the number of threads.

#include <polyad/apply/surprise_cells.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace polyad {

struct TotalsTable {
  std::vector<std::size_t> modes;      ///< one or two
  std::vector<std::uint64_t> extents;  ///< theirs
  std::vector<CellTotal> totals;       ///< C order

  std::size_t position(const Index* cell) const {
    return modes.size() == 1 ? cell[modes[0]] : cell[modes[0]] * extents[1] + cell[modes[1]];
  }
  std::vector<Index> index_of(std::size_t position) const;
  /// The table's modes of a whole cell.
  std::vector<Index> part_of(const Index* cell) const;
};

enum class TotalsWay { closed, visited, stored, none };
/// `none`: every cell would have to be visited, and there are too many.
TotalsWay totals_way(const Tensor& tensor, const Loss& loss);

class Totals {
 public:
  /// With tables of pairs as long as they are not too large; `left_out` says which are.
  Totals(const Tensor& tensor, const Judge& judge, TotalsWay way, bool pairs);

  /// Stored cells, in rounds.
  void add(std::span<const JudgedPart> parts);
  /// What is expected of the rest; after all rounds.
  void finish();

  const std::vector<TotalsTable>& tables() const { return tables_; }  ///< slices by mode, then pairs
  const std::vector<std::pair<std::size_t, std::size_t>>& left_out() const { return left_out_; }

 private:
  void add_closed();
  void add_visited();
  void take_out_missing();

  const Tensor& tensor_;
  const Judge& judge_;
  TotalsWay way_;
  std::vector<TotalsTable> tables_;
  std::vector<std::pair<std::size_t, std::size_t>> left_out_;
};

}  // namespace polyad
