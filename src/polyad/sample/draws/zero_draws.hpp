#pragma once
// Draws, with replacement, of cells of a sparse tensor by their indices: of zeros, or of any observed cells.

#include <polyad/sample/draws/index_drawer.hpp>
#include <polyad/tensor/sparse.hpp>

#include <vector>

namespace polyad {

/// Observed zeros: neither listed nor missing (Alg. 2). Or any observed cell, without look-up (Alg. 3).
enum class Admit { zeros, observed };

/// How many cells of the box are observed zeros: its cells but for listed and missing ones. O(listed + missing).
double zeros_within(const SparseTensor& tensor, const Box& box);

/// zero[t] = 1 where the cell (index[0][first + t], index[1][first + t], ...) is an observed zero, otherwise 0.
void flag_zeros(const SparseTensor& tensor, const Index* const* index, std::size_t first, std::size_t n,
                std::uint8_t* zero);

/// Cells that count as zeros, x = 0 and v the weight of zeros:
///
///   Admit::zeros      w = (zeta / q) v
///   Admit::observed   w = (omega / q) v
///
/// They come in bulk by rejection, or from a list where too few would be admitted.
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

/// Observed cells that are looked up one by one (Alg. 1 on sparse data): x the cell's value, w = (omega / s) w_i.
class CellDraws {
 public:
  /// From a box that has `cells` observed cells, at least one.
  CellDraws(const SparseTensor& tensor, const Box& box, double cells, std::size_t count);

  std::size_t count() const { return draws_.count(); }
  double cells() const { return draws_.cells(); }
  void fill(const DrawKey& key, std::size_t first, Batch& batch) const;

 private:
  const SparseTensor* tensor_;
  ZeroDraws draws_;
};

}  // namespace polyad
