#include <polyad/kernel/listed_cells.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <polyad/base/exact_numbers.hpp>

namespace polyad {

namespace {

bool lists_all_observed(const DenseTensor& tensor) {
  return tensor.weighted() || tensor.observed() < tensor.cells();
}

// Calls visit(index, x, w) for every listed cell.
template <class Visit>
void for_each_listed(const DenseTensor& tensor, const Visit& visit) {
  const bool all = lists_all_observed(tensor);
  std::array<Index, max_modes> index{};
  for (std::uint64_t cell = 0; cell < tensor.cells(); ++cell) {
    const double x = tensor.value(cell);
    if (!std::isnan(x) && (all || x != 0)) visit(index.data(), x, tensor.weight(cell));
    for (std::size_t k = tensor.space().modes(); k-- > 0;) {
      if (++index[k] < tensor.space().extent(k)) break;
      index[k] = 0;
    }
  }
}

template <class Visit>
void for_each_listed(const SparseTensor& tensor, const Visit& visit) {
  const Records& listed = tensor.records();
  for (std::size_t i = 0; i < listed.size(); ++i) visit(listed.index(i), listed.value(i), listed.weight(i));
  const Records& missing = tensor.missing();
  for (std::size_t i = 0; i < tensor.missing_cells(); ++i) visit(missing.index(i), 0.0, 0.0);
}

template <class Visit>
void for_each_listed(const Tensor& tensor, const Visit& visit) {
  if (const DenseTensor* dense = tensor.dense()) {
    for_each_listed(*dense, visit);
  } else {
    for_each_listed(*tensor.sparse(), visit);
  }
}

double weight_of_unlisted(const Tensor& tensor) {
  if (const DenseTensor* dense = tensor.dense()) return lists_all_observed(*dense) ? 0.0 : 1.0;
  return tensor.sparse()->unlisted() == Unlisted::missing ? 0.0 : tensor.sparse()->zero_weight();
}

bool has_weights(const Tensor& tensor) {
  if (const DenseTensor* dense = tensor.dense()) return dense->weighted();
  return tensor.sparse()->records().weighted() || tensor.sparse()->missing_cells() > 0;
}

// Places cells by the rows of `cells.mode`: counts first, then each cell to the next free place of its row.
class Placer {
 public:
  Placer(ListedCells& cells, std::size_t rows) : cells_(cells), next_(rows + 1, 0) {}
  void count(Index row) { ++next_[row + 1]; }
  void allocate(std::size_t modes, bool weighted) {
    for (std::size_t i = 1; i < next_.size(); ++i) next_[i] += next_[i - 1];
    cells_.row_begin = next_;
    cells_.index.resize(modes);
    for (auto& list : cells_.index) list.resize(next_.back());
    cells_.x.resize(next_.back());
    if (weighted) cells_.w.resize(next_.back());
  }
  std::size_t place(Index row) { return next_[row]++; }

 private:
  ListedCells& cells_;
  std::vector<std::size_t> next_;
};

}  // namespace

double listed_cells_bytes(const Tensor& tensor) {
  double cells = 0;
  if (const DenseTensor* dense = tensor.dense()) {
    cells = static_cast<double>(dense->observed());
  } else {
    cells = static_cast<double>(tensor.sparse()->listed() + tensor.sparse()->missing_cells());
  }
  return cells * static_cast<double>(4 * tensor.space().modes() + (has_weights(tensor) ? 16 : 8));
}

ListedCells listed_cells(const Tensor& tensor) {
  const IndexSpace& space = tensor.space();
  const std::size_t d = space.modes();
  ListedCells cells;
  cells.mode = static_cast<std::size_t>(std::ranges::max_element(space.extents()) - space.extents().begin());
  cells.zero_weight = weight_of_unlisted(tensor);
  Placer placer(cells, space.extent(cells.mode));
  for_each_listed(tensor, [&](const Index* index, double, double w) {
    placer.count(index[cells.mode]);
    cells.corrected = cells.corrected || w != cells.zero_weight;
  });
  const bool weighted = has_weights(tensor);
  placer.allocate(d, weighted);
  for_each_listed(tensor, [&](const Index* index, double x, double w) {
    const std::size_t at = placer.place(index[cells.mode]);
    for (std::size_t k = 0; k < d; ++k) cells.index[k][at] = index[k];
    cells.x[at] = x;
    if (weighted) cells.w[at] = w;
  });
  return cells;
}

ListedCells in_order_of(const ListedCells& cells, std::size_t mode, std::size_t rows) {
  ListedCells out;
  out.mode = mode;
  out.zero_weight = cells.zero_weight;
  out.corrected = cells.corrected;
  Placer placer(out, rows);
  const AlignedVector<Index>& key = cells.index[mode];
  for (const Index row : key) placer.count(row);
  placer.allocate(cells.modes(), !cells.w.empty());
  for (std::size_t t = 0; t < cells.size(); ++t) {
    const std::size_t at = placer.place(key[t]);
    for (std::size_t k = 0; k < cells.modes(); ++k) out.index[k][at] = cells.index[k][t];
    out.x[at] = cells.x[t];
    if (!cells.w.empty()) out.w[at] = cells.w[t];
  }
  return out;
}

double take_out_weight_unit(ListedCells& cells) {
  CompensatedSum sum;
  for (const double w : cells.w) sum.add(w);
  const double mean = cells.w.empty() ? 1.0 : sum.value() / static_cast<double>(cells.w.size());
  const double unit = power_of_two_near(cells.zero_weight > 0 ? cells.zero_weight : mean);
  if (unit != 1 && cells.w.empty()) cells.w.assign(cells.size(), 1.0);
  for (double& w : cells.w) w /= unit;
  cells.zero_weight /= unit;
  return unit;
}

std::vector<std::size_t> whole_row_pieces(const ListedCells& cells, std::size_t pieces) {
  std::vector<std::size_t> rows = {0};
  const std::size_t all_rows = cells.row_begin.size() - 1;
  for (std::size_t p = 1; p <= pieces; ++p) {
    const std::size_t target = cells.size() * p / pieces;
    const auto at = std::ranges::lower_bound(cells.row_begin, target);
    std::size_t row = static_cast<std::size_t>(at - cells.row_begin.begin());
    if (p == pieces) row = all_rows;
    if (row > rows.back()) rows.push_back(row);
  }
  return rows;
}

std::size_t mode_at(const ListedCells& cells, std::size_t at) {
  if (at == 0) return cells.mode;
  return at <= cells.mode ? at - 1 : at;
}

CellRows rows_of(const ListedCells& cells, const Factors& model) {
  CellRows rows;
  rows.modes = model.modes();
  rows.stride = model.stride();
  for (std::size_t at = 0; at < rows.modes; ++at) rows.factor[at] = model.row(mode_at(cells, at), 0);
  return rows;
}

void move_to(const ListedCells& cells, std::size_t first, CellRows& rows) {
  for (std::size_t at = 0; at < rows.modes; ++at) rows.index[at] = cells.index[mode_at(cells, at)].data() + first;
}

}  // namespace polyad
