#include <polyad/kernel/row_products.hpp>

namespace polyad {

namespace {

// A row's products up to this size stay in the second-level cache between visits.
constexpr std::size_t most_kept = 32768;

}  // namespace

RowProducts::RowProducts(const ListedCells& cells, const Factors& model)
    : cells_(cells), rows_(rows_of(cells, model)), pi_(block_cells * rows_.stride) {}

void RowProducts::choose(std::size_t row) {
  begin_ = cells_.row_begin[row];
  end_ = cells_.row_begin[row + 1];
  kept_ = size() * rows_.stride <= most_kept;
  if (!kept_) return;
  if (pi_.size() < size() * rows_.stride) pi_.resize(most_kept);
  move_to(cells_, begin_, rows_);
  cell_products(rows_, size(), pi_.data());
}

const double* RowProducts::products(std::size_t first, std::size_t count) {
  move_to(cells_, first, rows_);
  cell_products(rows_, count, pi_.data());
  return pi_.data();
}

}  // namespace polyad
