#pragma once
// Exact draws from the Poisson model x_i ~ poisson(m_i), m nonnegative.
//
// A component's counts are a Poisson number of events, each with an index drawn from its normalised column in
// every mode: O(events), however many cells there are. Where more events than cells are expected, every cell
// is drawn by itself.

#include <polyad/cells.hpp>
#include <polyad/model.hpp>

#include <cstddef>
#include <cstdint>

namespace polyad {

/// The sum of the model over all cells.
double model_total(const KTensor& model);

/// The events as records (a cell may occur several times; SparseTensor sums them). A usage error where there
/// would be more than 1e9.
Records draw_poisson(const KTensor& truth, const IndexSpace& space, std::uint64_t seed, std::size_t threads);

}  // namespace polyad
