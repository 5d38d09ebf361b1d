#include <polyad/kernel/row_products.hpp>

#include <polyad/base/parallel.hpp>

#include <algorithm>
#include <array>

namespace polyad {

namespace {

// A row's products up to this size stay in the second-level cache between visits.
constexpr std::size_t most_kept = 32768;

constexpr std::size_t cells_per_range = 1 << 14;
constexpr std::size_t most_ranges = 256;

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

void for_row_ranges(const ListedCells& cells, std::size_t threads,
                    const std::function<void(std::size_t first_row, std::size_t end_row)>& work) {
  const std::size_t ranges = std::clamp<std::size_t>(cells.size() / cells_per_range, 1, most_ranges);
  const std::vector<std::size_t> rows = whole_row_pieces(cells, ranges);
  std::vector<std::size_t> order(rows.size() - 1);
  for (std::size_t p = 0; p < order.size(); ++p) order[p] = p;
  const auto size = [&](std::size_t p) { return cells.row_begin[rows[p + 1]] - cells.row_begin[rows[p]]; };
  std::ranges::stable_sort(order, [&](std::size_t p, std::size_t q) { return size(p) > size(q); });
  parallel_tasks(order.size(), threads, [&](std::size_t i) { work(rows[order[i]], rows[order[i] + 1]); });
}

void sparse_mttkrp(const Factors& model, const ListedCells& cells, std::size_t threads, Factors& out) {
  for_row_ranges(cells, threads, [&](std::size_t first_row, std::size_t end_row) {
    RowProducts products(cells, model);
    alignas(cache_line) std::array<double, block_cells> weighted;
    for (std::size_t row = first_row; row < end_row; ++row) {
      double* sums = out.row(cells.mode, row);
      std::fill_n(sums, out.stride(), 0.0);
      products.choose(row);
      products.for_blocks([&](std::size_t first, std::size_t count, const double* pi) {
        const double* values = cells.x.data() + first;
        if (!cells.w.empty()) {
          for (std::size_t t = 0; t < count; ++t) weighted[t] = cells.w[first + t] * cells.x[first + t];
          values = weighted.data();
        }
        row_sums(pi, out.stride(), count, values, sums);
      });
    }
  });
}

}  // namespace polyad
