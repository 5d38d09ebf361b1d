#pragma once
// A CP model is unique only up to the scale, sign and order of its components. These bring it into the form
// people read: unit columns, weights that carry the magnitude, largest first.

#include <polyad/model/ktensor.hpp>

#include <cstddef>
#include <optional>

namespace polyad {

enum class ColumnNorm { one, two };  ///< sum of absolute values, or Euclidean

/// Scales every column to norm 1 and multiplies the norms into the weights (a zero column stays zero, weight
/// 0). With `into_mode`, the weights are then multiplied into that mode's columns and become 1.
void normalize(KTensor& model, ColumnNorm norm = ColumnNorm::two, std::optional<std::size_t> into_mode = {});
/// Makes weights nonnegative and flips columns in pairs so that each column's largest entry by magnitude is
/// positive in all modes but at most one. Where one must stay negative it is the mode whose column has the
/// most balanced signs (so a column of one sign is not turned against its reader); the weight's sign goes
/// there too.
void resolve_signs(KTensor& model);
/// Sorts the components by weight, largest first (ties keep their order; NaN comes last).
void sort_by_weight(KTensor& model);
/// Multiplies the weights evenly into all modes (d-th root each; the sign goes to the first mode) and sets
/// them to 1.
void distribute_weights(KTensor& model);

}  // namespace polyad
