#pragma once
// From judged cells and totals to lists for people: the best of each, what is marked, and which components expected it.

#include <polyad/apply/surprise.hpp>
#include <polyad/apply/surprise_cells.hpp>
#include <polyad/apply/surprise_totals.hpp>

namespace polyad {

/// log of 0.1: what is no surprise at all is not listed.
inline constexpr double least_listed = -2.302585092994046;

inline bool is_wanted(int side, Direction direction) {
  return direction == Direction::both || (side > 0) == (direction == Direction::more);
}

/// Everything about cells.
struct FoundCells {
  explicit FoundCells(std::size_t modes) : best(modes), probable(modes), zeros(modes) {}

  RankedCells best;      ///< those to be listed
  RankedCells probable;  ///< stored ones of p <= false_alarms
  RankedCells zeros;     ///< likewise, as far as they were looked for
  Threshold threshold{log_of_nothing, 0};
  bool exact = true;
};

/// Fills cells, slices, pairs and slice_scores. `totals` are finished.
void make_lists(const Tensor& tensor, const Judge& judge, const SurpriseOptions& options, const Totals& totals,
                const FoundCells& found, Surprise& out);

}  // namespace polyad
