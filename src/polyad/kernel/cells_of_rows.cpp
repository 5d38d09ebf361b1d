#include <polyad/kernel/cells_of_rows.hpp>

namespace polyad {

std::size_t mode_at(const ListedCells& cells, std::size_t at) {
  if (at == 0) return cells.mode;
  return at <= cells.mode ? at - 1 : at;
}

CellBlock block_of(const ListedCells& cells, const Factors& model) {
  CellBlock block;
  block.modes = model.modes();
  block.stride = model.stride();
  for (std::size_t at = 0; at < block.modes; ++at) block.base[at] = model.row(mode_at(cells, at), 0);
  return block;
}

void move_block(const ListedCells& cells, std::size_t first, std::size_t count, CellBlock& block) {
  block.count = count;
  for (std::size_t at = 0; at < block.modes; ++at) block.index[at] = cells.index[mode_at(cells, at)].data() + first;
}

}  // namespace polyad
