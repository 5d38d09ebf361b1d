#include <polyad/solve/rows/row_replay.hpp>

#include <polyad/kernel/listed_blocks.hpp>
#include <polyad/loss/best_value.hpp>

#include <algorithm>

namespace polyad {

RowReplay::RowReplay(const ReplayCells& cells, const AlignedVector<double>& products, const Loss& loss,
                     std::size_t rank)
    : cells_(cells), products_(products), loss_(loss), rank_(rank), m_(cells.size()), x_(cells.size()) {}

void RowReplay::choose(std::size_t row) {
  const Factors& old = cells_.old();
  known_ = row < old.rows(cells_.mode());
  if (!known_) return;
  row_dots(cells_.old_products().data(), old.stride(), cells_.size(), old.row(cells_.mode(), row), m_.data());
  expected_values(loss_, x_.size(), m_.data(), x_.data());
}

void RowReplay::evaluate(RowPoint& point, bool /*want_f*/) {
  point.clear();
  if (!known_) return;
  for (std::size_t first = 0; first < cells_.size(); first += block_cells) {
    const std::size_t count = std::min(block_cells, cells_.size() - first);
    const double* const pi = products_.data() + first * stride();
    terms_.evaluate(loss_, pi, count, x_.data() + first, cells_.weights().data() + first, point);
    terms_.add_sizes(pi, count, point);
    terms_.add_to(pi, count, point);
  }
}

}  // namespace polyad
