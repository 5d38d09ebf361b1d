#pragma once
// The cells in which a model is largest, found without visiting the others. A tensor of 10^12 cells may have a dozen in which the
// model expects more than 20: these are the zeros that would be surprising.
//
// The rows of every mode are halved again and again along the component in which they differ most, which makes a tree of blocks of
// alike rows with the least and greatest entry of each component. A tuple of blocks, one per mode, bounds all its cells:
//
//   m <= sum_j prod_k greatest_k(j)        (with signs: by products of intervals)
//
// Tuples whose bound is below the threshold are dropped with all their cells; of the others the block that the bound owes most to
// is split (branch and bound; Land and Doig 1960). Depth first, better half first, so that a threshold that rises while
// cells are found soon cuts off most. O(r d) per tuple; O(n r log n) for the trees, once.

#include <polyad/cells.hpp>
#include <polyad/model.hpp>

#include <cstdint>
#include <functional>
#include <vector>

namespace polyad {

class LargeCells {
 public:
  /// Weights must be 1 (distribute_weights). With `magnitude` cells are looked for by |m| instead of m.
  LargeCells(const Factors& model, bool magnitude);

  /// Calls visit(index, m) for every cell with m (or |m|) of at least `threshold`, in an order that depends on the model alone; what
  /// it returns is the threshold from there on, which may only rise. False: given up after `most` steps (bounds and cells).
  bool for_each(double threshold, double most, const std::function<double(const Index*, double)>& visit) const;
  /// Steps of the last `for_each`.
  double steps() const { return steps_; }

 private:
  struct Block {
    std::uint32_t begin = 0, end = 0;  // of rows_
    std::uint32_t first = 0;           // of its two halves, side by side; 0: a leaf
  };
  struct Tree {
    std::vector<Index> rows;
    std::vector<Block> blocks;  // the first is the root
    std::vector<double> least;  // rank numbers per block
    std::vector<double> greatest;
  };
  struct Bound {
    double value = 0;
    std::size_t split = 0;  // the mode to split; modes(): all are leaves
  };
  using Tuple = std::array<std::uint32_t, max_modes>;

  Tree tree_of(std::size_t mode) const;
  template <bool signs>
  Bound bound_of(const Tuple& tuple) const;
  template <bool signs>
  bool search(double threshold, double most, const std::function<double(const Index*, double)>& visit) const;

  const Factors& model_;
  bool magnitude_;
  bool signs_;
  std::vector<Tree> trees_;
  mutable double steps_ = 0;
};

}  // namespace polyad
