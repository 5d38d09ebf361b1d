#pragma once
// Draws, with replacement, of cells of a sparse tensor that count as zeros:
//
//   Admit::zeros      observed zeros: neither listed nor missing (Alg. 2)    w = (zeta / q) v
//   Admit::observed   any observed cell, without look-up (Alg. 3)            w = (omega / q) v
//
// x = 0 and v is the weight of zeros. Cells come in bulk by rejection, or from a list where too few would be
// admitted.

#include <polyad/sample/draws/index_drawer.hpp>
#include <polyad/tensor/sparse.hpp>

#include <vector>

namespace polyad {

enum class Admit { zeros, observed };

/// How many cells of the box are observed zeros: its cells but for listed and missing ones. O(listed +
/// missing).
double zeros_within(const SparseTensor& tensor, const Box& box);

/// zero[t] = 1 where the cell (index[0][first + t], index[1][first + t], ...) is an observed zero, otherwise 0.
void flag_zeros(const SparseTensor& tensor, const Index* const* index, std::size_t first, std::size_t n,
                std::uint8_t* zero);

class ZeroDraws {
 public:
  /// From the whole space.
  ZeroDraws(const SparseTensor& tensor, Admit admit, std::size_t count);
  /// From a box that has `cells` such cells, at least one.
  ZeroDraws(const SparseTensor& tensor, const Box& box, Admit admit, double cells, std::size_t count);

  std::size_t count() const { return count_; }
  double cells() const { return cells_; }
  /// Cells, x and w.
  void fill(const DrawKey& key, std::size_t first, Batch& batch) const;
  /// Cells alone.
  void fill_cells(const DrawKey& key, std::size_t first, Batch& batch) const;

 private:
  const SparseTensor* tensor_;
  Admit admit_;
  double cells_;
  std::size_t count_;
  IndexDrawer drawer_;
  std::size_t candidates_ = 0;
  std::vector<Index> list_;  ///< admitted cells, modes() indices each; empty where candidates are drawn
};

}  // namespace polyad
