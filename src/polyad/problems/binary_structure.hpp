#pragma once
// Where the sparse components of a binary problem live: the cells that at least one of them reaches, each
// visited once.

#include <polyad/cells.hpp>
#include <polyad/model.hpp>

#include <cstdint>
#include <functional>
#include <vector>

namespace polyad {

class BinaryStructure {
 public:
  /// All components of `truth` but the last (the constant one) are the sparse ones. `truth` must outlive
  /// this.
  explicit BinaryStructure(const KTensor& truth);

  /// Whether some sparse component is nonzero at this cell.
  bool covers(const Index* index) const;
  /// Cells of all supports, overlaps counted as often as they occur: an upper bound of the number of covered
  /// cells.
  double cells() const;
  /// Visits every covered cell whose index in `mode` is `i`, once, in a fixed order, with its model value
  /// (its odds). A cell in several supports belongs to the first component that reaches it.
  void for_each_cell(std::size_t mode, Index i, const std::function<void(const Index*, double)>& visit) const;

 private:
  bool supports(std::size_t j, const Index* index) const;
  double odds(const Index* index) const;

  const KTensor& truth_;
  std::size_t sparse_;                                    ///< number of sparse components
  std::size_t words_;                                     ///< 64-bit words per row
  std::vector<std::vector<std::vector<Index>>> support_;  ///< [component][mode]: rows where it is nonzero
  std::vector<std::vector<std::uint64_t>> reached_by_;    ///< [mode]: the set of components nonzero in each row
};

}  // namespace polyad
