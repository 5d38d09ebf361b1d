#pragma once
// Draws every cell of a dense tensor from its model value.

#include <polyad/base/rng.hpp>
#include <polyad/cells.hpp>
#include <polyad/detail/aligned.hpp>
#include <polyad/model.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace polyad {

/// Turns the model values of neighbouring cells into data, in place.
using DrawCells = std::function<void(Generator&, std::span<double>)>;

/// All cells in C order. The products over all modes but the last are formed once a fibre; runs of fibres are
/// tasks with a stream each, so that the result does not depend on `threads`. A usage error where the cells
/// would not fit in memory.
AlignedVector<double> draw_dense(const KTensor& truth, const IndexSpace& space, std::uint64_t seed, std::size_t threads,
                                 const DrawCells& draw);

}  // namespace polyad
