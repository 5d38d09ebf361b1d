#include <polyad/apply/surprise_totals.hpp>

#include <polyad/base/parallel.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace polyad {

namespace {

constexpr double most_visited = 2e8;  // cells
constexpr double most_entries = 1e7;  // of all tables of pairs, 32 bytes each

}  // namespace

std::vector<Index> TotalsTable::index_of(std::size_t position) const {
  if (modes.size() == 1) return {static_cast<Index>(position)};
  return {static_cast<Index>(position / extents[1]), static_cast<Index>(position % extents[1])};
}

std::vector<Index> TotalsTable::part_of(const Index* cell) const {
  std::vector<Index> part;
  for (const std::size_t k : modes) part.push_back(cell[k]);
  return part;
}

TotalsWay totals_way(const Tensor& tensor, const Loss& loss) {
  const SparseTensor* const sparse = tensor.sparse();
  if (sparse == nullptr || sparse->unlisted() == Unlisted::missing) return TotalsWay::stored;
  if (loss.info().zero_sum != ZeroSum::none) return TotalsWay::closed;
  return tensor.space().cells() <= most_visited ? TotalsWay::visited : TotalsWay::none;
}

Totals::Totals(const Tensor& tensor, const Judge& judge, TotalsWay way, bool pairs)
    : tensor_(tensor), judge_(judge), way_(way) {
  if (way == TotalsWay::none) return;
  const IndexSpace& space = tensor.space();
  const std::size_t d = space.modes();
  const auto add_table = [&](std::vector<std::size_t> modes) {
    TotalsTable table;
    std::uint64_t entries = 1;
    for (const std::size_t k : modes) {
      table.extents.push_back(space.extent(k));
      entries *= space.extent(k);
    }
    table.modes = std::move(modes);
    table.totals.resize(entries);
    tables_.push_back(std::move(table));
  };
  for (std::size_t k = 0; k < d; ++k) add_table({k});
  if (!pairs || d < 3) return;  // of two modes the pairs are the cells
  std::vector<std::pair<std::size_t, std::size_t>> wanted;
  for (std::size_t k = 0; k < d; ++k) {
    for (std::size_t l = k + 1; l < d; ++l) wanted.emplace_back(k, l);
  }
  const auto entries = [&](const auto& pair) {
    return static_cast<double>(space.extent(pair.first)) * static_cast<double>(space.extent(pair.second));
  };
  std::ranges::stable_sort(wanted, [&](const auto& a, const auto& b) { return entries(a) < entries(b); });
  double sum = 0;
  for (const auto& pair : wanted) {
    sum += entries(pair);
    if (sum > most_entries) left_out_.push_back(pair);
  }
  std::erase_if(wanted, [&](const auto& pair) { return std::ranges::find(left_out_, pair) != left_out_.end(); });
  std::ranges::sort(wanted);
  for (const auto& [k, l] : wanted) add_table({k, l});
}

void Totals::add(std::span<const JudgedPart> parts) {
  const bool expected = way_ == TotalsWay::stored;
  parallel_tasks(tables_.size(), judge_.threads, [&](std::size_t which) {
    TotalsTable& table = tables_[which];
    const bool pair = table.modes.size() == 2;
    for (const JudgedPart& part : parts) {
      const Index* const first = part.batch.index[table.modes[0]].data();
      const Index* const second = part.batch.index[table.modes.back()].data();
      for (std::size_t t = 0; t < part.batch.size(); ++t) {
        CellTotal& total = table.totals[pair ? first[t] * table.extents[1] + second[t] : first[t]];
        total.observed += part.batch.x[t];
        if (!expected) continue;
        ++total.cells;
        total.mean += part.mean[t];
        total.variance += part.variance[t];
      }
    }
  });
}

void Totals::finish() {
  if (way_ == TotalsWay::closed) add_closed();
  if (way_ == TotalsWay::visited) add_visited();
  if (way_ == TotalsWay::closed || way_ == TotalsWay::visited) take_out_missing();
}

void Totals::add_closed() {
  const Factors& model = judge_.model;
  const std::size_t r = model.rank(), d = model.modes();
  std::vector<std::vector<double>> sums(d, std::vector<double>(r));
  for (std::size_t k = 0; k < d; ++k) {
    for (std::size_t i = 0; i < model.rows(k); ++i) {
      for (std::size_t j = 0; j < r; ++j) sums[k][j] += model.at(k, i, j);
    }
  }
  parallel_tasks(tables_.size(), judge_.threads, [&](std::size_t which) {
    TotalsTable& table = tables_[which];
    std::vector<double> others(r, 1.0), left(r);
    double cells = tensor_.space().cells();
    for (const std::uint64_t extent : table.extents) cells /= static_cast<double>(extent);
    for (std::size_t k = 0; k < d; ++k) {
      if (std::ranges::find(table.modes, k) != table.modes.end()) continue;
      for (std::size_t j = 0; j < r; ++j) others[j] *= sums[k][j];
    }
    const std::uint64_t columns = table.modes.size() == 2 ? table.extents[1] : 1;
    for (std::size_t i = 0; i < table.extents[0]; ++i) {
      for (std::size_t j = 0; j < r; ++j) left[j] = others[j] * model.at(table.modes[0], i, j);
      for (std::size_t l = 0; l < columns; ++l) {
        CellTotal& total = table.totals[i * columns + l];
        const double* const row = table.modes.size() == 2 ? model.row(table.modes[1], l) : nullptr;
        for (std::size_t j = 0; j < r; ++j) total.mean += row == nullptr ? left[j] : left[j] * row[j];
        total.cells = cells;
        // The variance of a cell is in proportion to its mean, or the same for all.
        total.variance =
            judge_.law.law() == Law::normal ? cells * judge_.law.variance(0) : judge_.law.variance(total.mean);
      }
    }
  });
}

void Totals::add_visited() {
  for_each_round_of_all(tensor_.space(), judge_, [&](std::span<const JudgedPart> parts) {
    parallel_tasks(tables_.size(), judge_.threads, [&](std::size_t which) {
      TotalsTable& table = tables_[which];
      std::array<Index, max_modes> cell{};
      for (const JudgedPart& part : parts) {
        for (std::size_t t = 0; t < part.batch.size(); ++t) {
          for (const std::size_t k : table.modes) cell[k] = part.batch.index[k][t];
          CellTotal& total = table.totals[table.position(cell.data())];
          ++total.cells;
          total.mean += part.mean[t];
          total.variance += part.variance[t];
        }
      }
    });
  });
}

void Totals::take_out_missing() {
  const Records& missing = tensor_.sparse()->missing();
  Batch batch;
  batch.resize(missing.modes(), missing.size(), false);
  for (std::size_t t = 0; t < missing.size(); ++t) {
    for (std::size_t k = 0; k < missing.modes(); ++k) batch.index[k][t] = missing.index(t)[k];
  }
  std::vector<double> mean;
  judge_.means(batch, mean);
  for (TotalsTable& table : tables_) {
    for (std::size_t t = 0; t < missing.size(); ++t) {
      CellTotal& total = table.totals[table.position(missing.index(t))];
      total.cells -= 1;
      total.mean -= mean[t];
      total.variance -= judge_.law.variance(mean[t]);
    }
  }
}

}  // namespace polyad
