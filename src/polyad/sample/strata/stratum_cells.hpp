#pragma once
// Which cells each of the user's strata holds, checked to be a partition of what is observed: every listed
// entry (or observed cell of a dense tensor) in exactly one stratum, every cell of the space in exactly one
// box of zeros where zeros are data.

#include <polyad/sample/strata/stratum_spec.hpp>
#include <polyad/tensor/tensor.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace polyad {

struct StratumCells {
  double size = 0;                     ///< observed cells in it
  std::vector<std::uint32_t> records;  ///< numbers of its records (strata of listed entries)
};

/// One for each stratum. A usage error names an entry that lies in none or in two strata, two boxes that
/// overlap, or how many cells no box of zeros contains and one of them. O(listed * strata), or O(cells *
/// strata) for a dense tensor.
std::vector<StratumCells> cells_of_strata(const Tensor& tensor, std::span<const StratumSpec> specs);

}  // namespace polyad
