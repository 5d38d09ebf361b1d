#pragma once
// Which component of one model is which of another, and how alike they are in each mode.

#include <polyad/model.hpp>

#include <cstddef>
#include <vector>

namespace polyad {

struct ModelMatch {
  double score = 0;                               ///< as score() gives it
  std::vector<std::size_t> match;                 ///< component of `b` for each of `a`, Score::npos where there is none
  std::vector<double> cosines;                    ///< product over the modes, for each component of `a`
  std::vector<std::vector<double>> mode_cosines;  ///< the same by mode; empty where unmatched
};

/// O(sum of extents x (rank_a rank_b)), as score().
ModelMatch match_models(const KTensor& a, const KTensor& b);

}  // namespace polyad
