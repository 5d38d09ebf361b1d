#pragma once
// Blocks of listed cells as the vectorised kernels want them.

#include <polyad/kernel/cell_blocks.hpp>
#include <polyad/kernel/listed_cells.hpp>
#include <polyad/model/factors.hpp>

namespace polyad {

/// A block without cells: the modes of `cells` with the one in order first, and where their rows are.
CellBlock block_of(const ListedCells& cells, const Factors& model);

/// Lets `block` hold cells first .. first+count-1.
void move_block(const ListedCells& cells, std::size_t first, std::size_t count, CellBlock& block);

/// The mode at position `at` of a block.
std::size_t mode_at(const ListedCells& cells, std::size_t at);

}  // namespace polyad
