#pragma once
// Components that do no work: dead ones, whose weight is nothing beside the others', and copies of another component. A model
// that has any is not what its rank promises, however flat the objective is around it.

#include <polyad/model/ktensor.hpp>

#include <cstddef>
#include <vector>

namespace polyad {

struct IdleComponents {
  struct Copy {
    std::size_t of = 0;
    std::size_t component = 0;

    friend bool operator==(const Copy&, const Copy&) = default;
  };
  std::vector<std::size_t> dead;  ///< in order
  std::vector<Copy> copies;       ///< each component at most once; `of` is the heavier one

  bool empty() const { return dead.empty() && copies.empty(); }
  friend bool operator==(const IdleComponents&, const IdleComponents&) = default;
};

/// Dead: a weight (with unit columns) of at most this part of the largest one. A copy: the product over the modes of the cosines
/// between two components is at least this.
inline constexpr double dead_weight = 1e-9;
inline constexpr double copy_cosine = 0.995;

/// The model may be scaled in any way. O(sum n_k r^2).
IdleComponents idle_components(const KTensor& model);

}  // namespace polyad
