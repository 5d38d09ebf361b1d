#pragma once
// Components are born where new slices hold a pattern that the model has not, and die when what is remembered of the old slices does
// not use them and the new slices can do without them.
//
// A birth is judged by cells that it was not found from. Every other new slice finds the new component, which begins at what is
// explained worst (solve/revive.hpp). In the remaining slices the cells are divided like a chess board, by halves of the widest other
// modes in which the component is equally strong: rows are found from the white cells with and without it, and compared on the black
// ones, which neither the component nor the rows have seen. (Without it the other modes have seen them, which speaks against a birth.)
// It is born if the loss there falls by more than three standard errors over the slices. The test needs four new slices, and costs
// about as much as the update.

#include <polyad/apply/update_sweeps.hpp>

#include <cstddef>
#include <optional>
#include <vector>

namespace polyad {

/// Fewer new slices cannot be divided.
inline constexpr std::size_t least_slices_for_births = 4;

struct Birth {
  Factors now;       ///< with one more component, last; rows of all new slices
  double gain = 0;   ///< of the held-out loss, per slice
  double error = 0;  ///< its standard error
};

/// Nothing where no further component is worth it. `now` is the end of an update, `start` the row at which slices begin.
std::optional<Birth> try_birth(const UpdateSweeps& sweeps, const Tensor& tensor, const Factors& now,
                               const std::vector<double>& start, const Monitor& monitor);

/// Components that old slices, each times what it still counts, hold less of than this part of the largest one.
inline constexpr double size_of_the_forgotten = 1e-3;
/// `old` has all weights in its slices.
std::vector<std::size_t> forgotten_components(const Factors& old, std::size_t slices,
                                              std::span<const double> remembered);

/// Whether the new slices can do without a component: as a birth is judged, but for a gain of one standard error, with what half of
/// the slices find for all components. False where there are too few slices to tell.
bool is_dead(const UpdateSweeps& sweeps, const Tensor& tensor, const Factors& now, std::size_t component,
             const std::vector<double>& start, const Monitor& monitor);

/// Without these components.
Factors without(const Factors& model, const std::vector<std::size_t>& components);

}  // namespace polyad
