#pragma once
// A sparse tensor: a list of cells with values. What unlisted cells are is stated, never guessed:
//
//   Unlisted::zero      they are data: observed zeros (the paper's setting), but for an optional set of missing cells
//   Unlisted::missing   they are not data: only listed cells count, and explicit zeros are observed zeros
//
// Weights: each listed cell may have one. All unlisted zeros share one (`zero_weight`), because a zero is drawn without look-up.
// A zero cell that needs a weight of its own is listed, with value 0.
//
// Records are grouped by their index in the largest mode (the first of equals) and keep the order in which they were given
// within a group. A range of that mode is a range of records.
//
// Memory per listed cell: a record (24 bytes for 3 or 4 modes, 8 more where weighted) and about 3 bytes of a ListedSet; 16
// bytes of a CellSet more once record numbers of cells are asked for (find). Records may lie in a mapped file; the sets never do.
//
// The paper's counts, over observed cells: listed() = eta, zeros() = zeta, observed() = omega.

#include <polyad/tensor.hpp>
#include <polyad/tensor/cell_set.hpp>
#include <polyad/tensor/facts.hpp>
#include <polyad/tensor/group_records.hpp>
#include <polyad/tensor/listed_set.hpp>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace polyad {

/// Memory that a sparse tensor of this many entries takes, about.
double sparse_bytes(std::size_t modes, bool weighted, std::uint64_t entries);

class SparseTensor {
 public:
  /// Takes over the entries: sums duplicates (weights of duplicates must agree) and drops explicit zeros where unlisted cells
  /// are zeros and the records carry no weights. A cell of weight 0 becomes missing. Data errors: an index out of range, a
  /// value that is not finite, a negative or non-finite weight, over 2^32 - 2 entries; each names the entry and the cell,
  /// counted from 1. A report is added to, not replaced.
  SparseTensor(IndexSpace space, Records entries, Unlisted unlisted = Unlisted::zero, BuildReport* report = nullptr);

  /// Makes cells missing (values and weights of `cells` are not looked at); entries listed there are dropped. Where unlisted
  /// cells are missing anyway, dropping them is all there is to do.
  void set_missing(const Records& cells, BuildReport* report = nullptr);
  /// Gives listed cells the weights in `weights` (its values). A cell not listed yet becomes a listed zero, or is ignored where
  /// it is missing; weight 0 makes a cell missing. Cells not named keep the weight they have.
  void set_weights(const Records& weights, BuildReport* report = nullptr);
  /// The weight of every unlisted zero; 0 turns the tensor into one whose unlisted cells are missing. A usage error where they
  /// are missing already and the weight is neither 0 nor 1: it would have no effect.
  void set_zero_weight(double weight);

  /// What is known of the values, kept until something changes.
  void set_facts(const TensorFacts& facts) { facts_ = facts; }
  /// nullptr where nobody has looked.
  const TensorFacts* facts() const { return facts_ ? &*facts_ : nullptr; }

  const IndexSpace& space() const { return space_; }
  const Records& records() const { return records_; }
  Unlisted unlisted() const { return unlisted_; }
  double zero_weight() const { return zero_weight_; }
  bool weighted() const { return records_.weighted() || zero_weight_ != 1.0; }

  std::size_t listed() const { return records_.size(); }
  std::size_t missing_cells() const { return missing_.size(); }  ///< explicitly missing, among unlisted zeros
  double observed() const;                                       ///< cells that are data
  double zeros() const;                                          ///< observed unlisted cells

  /// The mode by which records are grouped.
  std::size_t grouping_mode() const { return largest_mode(space_); }
  /// The range of records whose index in the grouping mode is at least `begin` and below `end`. O(log listed).
  std::pair<std::size_t, std::size_t> records_in(Index begin, Index end) const {
    return grouped_range(records_, grouping_mode(), begin, end);
  }

  bool is_listed(const Index* index) const {
    return by_tuples() ? find(index) != CellSet::absent : listed_.contains(index);
  }
  /// Asks for the cache line that `is_listed` will need.
  [[gnu::always_inline]] void prefetch(const Index* index) const {
    if (!by_tuples()) listed_.prefetch(index);
  }
  /// out[t] = 1 where the cell (index[0][first + t], index[1][first + t], ...) is listed, otherwise 0: many zero tests at
  /// once, whose waits for memory overlap.
  void listed_flags(const Index* const* index, std::size_t first, std::size_t n, std::uint8_t* out) const;
  /// The record that holds a cell, or CellSet::absent. The first call takes time and memory: see LazyCellSet.
  std::uint32_t find(const Index* index) const { return cells_.of(records_).find(records_, index); }
  /// Declared missing one by one. (Where unlisted cells are missing as a whole, this is false for all.)
  bool is_missing(const Index* index) const {
    return !missing_set_.empty() && missing_set_.find(missing_, index) != CellSet::absent;
  }
  const Records& missing() const { return missing_; }

 private:
  bool by_tuples() const { return listed_.kind() == ListedKind::tuples; }
  std::uint64_t sum_duplicates();
  std::uint64_t drop_weight_zero();  ///< makes listed cells of weight 0 missing
  void add_missing(const Records& cells);
  void enter_again();  ///< after records went, came or moved; they are distinct cells
  void group();

  IndexSpace space_;
  Records records_;
  ListedSet listed_;
  LazyCellSet cells_;
  Records missing_;
  CellSet missing_set_;
  Unlisted unlisted_;
  double zero_weight_ = 1.0;
  std::optional<TensorFacts> facts_;
};

}  // namespace polyad
