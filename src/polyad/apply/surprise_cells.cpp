#include <polyad/apply/surprise_cells.hpp>

#include <polyad/base/parallel.hpp>
#include <polyad/kernel/batch_objective.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace polyad {

namespace {

constexpr std::size_t cells_per_part = 16384;
constexpr std::size_t parts_per_round = 64;
constexpr double most_steps = 2e8;  // of a search: some 20 seconds

void resize(JudgedPart& part, std::size_t modes, std::size_t cells) {
  part.batch.resize(modes, cells, false);
  part.cell.resize(cells);
}

void fill(const SparseTensor& tensor, std::uint64_t first, std::size_t count, JudgedPart& part) {
  const Records& records = tensor.records();
  resize(part, records.modes(), count);
  for (std::size_t t = 0; t < count; ++t) {
    const Index* const index = records.index(first + t);
    for (std::size_t k = 0; k < records.modes(); ++k) part.batch.index[k][t] = index[k];
    part.batch.x[t] = records.value(first + t);
    part.cell[t] = first + t;
  }
}

// `values` may be null: then all cells count.
void fill(const IndexSpace& space, const double* values, std::uint64_t first, std::size_t count, JudgedPart& part) {
  const std::size_t d = space.modes();
  resize(part, d, count);
  std::array<Index, max_modes> index{};
  std::uint64_t rest = first;
  for (std::size_t k = d; k-- > 0; rest /= space.extent(k)) index[k] = static_cast<Index>(rest % space.extent(k));
  std::size_t kept = 0;
  for (std::uint64_t cell = first; cell < first + count; ++cell) {
    const double x = values == nullptr ? 0.0 : values[cell];
    if (!std::isnan(x)) {
      for (std::size_t k = 0; k < d; ++k) part.batch.index[k][kept] = index[k];
      part.batch.x[kept] = x;
      part.cell[kept++] = cell;
    }
    for (std::size_t k = d; k-- > 0;) {
      if (++index[k] < space.extent(k)) break;
      index[k] = 0;
    }
  }
  resize(part, d, kept);
}

template <class Fill>
void in_rounds(std::uint64_t cells, const Judge& judge, bool with_p, const Fill& fill_part,
               const std::function<void(std::span<const JudgedPart>)>& visit) {
  std::vector<JudgedPart> parts(std::min<std::uint64_t>(parts_per_round, cells / cells_per_part + 1));
  for (std::uint64_t first = 0; first < cells; first += parts.size() * cells_per_part) {
    const std::uint64_t here = std::min<std::uint64_t>(cells - first, parts.size() * cells_per_part);
    const std::size_t count = (here + cells_per_part - 1) / cells_per_part;
    parallel_tasks(count, judge.threads, [&](std::size_t p) {
      JudgedPart& part = parts[p];
      const std::uint64_t begin = first + p * cells_per_part;
      fill_part(begin, std::min<std::uint64_t>(cells_per_part, cells - begin), part);
      const std::size_t n = part.batch.size();
      judge.means(part.batch, part.mean);
      part.variance.resize(n);
      for (std::size_t t = 0; t < n; ++t) part.variance[t] = judge.law.variance(part.mean[t]);
      if (!with_p) return;
      part.log_p.resize(n);
      part.side.resize(n);
      for (std::size_t t = 0; t < n; ++t) {
        const Tail tail = judge.law.cell(part.mean[t], part.batch.x[t]);
        part.log_p[t] = tail.log_p;
        part.side[t] = static_cast<signed char>(tail.side);
      }
    });
    visit({parts.data(), count});
  }
}

}  // namespace

void Judge::means(const Batch& batch, std::vector<double>& mean) const {
  const std::vector<double> m = model_values(model, batch);
  mean.resize(m.size());
  mean_values(loss, m.size(), m.data(), mean.data());
}

void for_each_round(const Tensor& tensor, const Judge& judge,
                    const std::function<void(std::span<const JudgedPart>)>& visit) {
  if (const SparseTensor* sparse = tensor.sparse()) {
    in_rounds(
        sparse->listed(), judge, true,
        [&](std::uint64_t first, std::size_t count, JudgedPart& part) { fill(*sparse, first, count, part); }, visit);
  } else {
    const std::span<const double> values = tensor.dense()->values();
    in_rounds(
        values.size(), judge, true,
        [&](std::uint64_t first, std::size_t count, JudgedPart& part) {
          fill(tensor.space(), values.data(), first, count, part);
        },
        visit);
  }
}

void for_each_round_of_all(const IndexSpace& space, const Judge& judge,
                           const std::function<void(std::span<const JudgedPart>)>& visit) {
  in_rounds(
      *space.exact_cells(), judge, false,
      [&](std::uint64_t first, std::size_t count, JudgedPart& part) { fill(space, nullptr, first, count, part); },
      visit);
}

void RankedCells::append(const Index* cell, double p, int which) {
  log_p.push_back(p);
  side.push_back(static_cast<signed char>(which));
  index.insert(index.end(), cell, cell + modes);
}

void RankedCells::keep_best(std::size_t count) {
  std::vector<std::size_t> order(size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  count = std::min(count, order.size());
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(count);
  std::partial_sort(order.begin(), middle, order.end(), [&](std::size_t a, std::size_t b) {
    if (log_p[a] != log_p[b]) return log_p[a] < log_p[b];
    return std::lexicographical_compare(at(a), at(a) + modes, at(b), at(b) + modes);
  });
  RankedCells kept(modes);
  for (auto t = order.begin(); t != middle; ++t) kept.append(at(*t), log_p[*t], side[*t]);
  *this = std::move(kept);
}

ZeroSearch::ZeroSearch(const SparseTensor& tensor, const Judge& judge)
    : tensor_(tensor), judge_(judge), cells_(judge.model, judge.law.law() == Law::normal) {}

Tail ZeroSearch::tail_of(double m) const {
  double mean = 0;
  mean_values(judge_.loss, 1, &m, &mean);
  return judge_.law.cell(mean, 0);
}

// The m at which a zero has this p, from below: the mean grows with m.
double ZeroSearch::m_at(double log_p) const {
  if (judge_.law.law() == Law::normal) return judge_.law.mean_of_zero(log_p) * (1 - 1e-9);
  double low = judge_.loss.info().lower == 0 ? 0.0 : -690.0, high = judge_.loss.info().lower == 0 ? 1.0 : 690.0;
  if (tail_of(low).log_p <= log_p) return low;
  while (high < 1e250 && judge_.loss.info().lower == 0 && tail_of(high).log_p > log_p) high *= 2;
  if (tail_of(high).log_p > log_p) return std::numeric_limits<double>::infinity();
  for (int i = 0; i < 100 && high - low > 1e-12 * std::abs(high); ++i) {
    const double middle = 0.5 * (low + high);
    (tail_of(middle).log_p > log_p ? low : high) = middle;
  }
  return low - 1e-9 * std::abs(low);
}

bool ZeroSearch::find_all(double log_p, RankedCells& found) const {
  const double threshold = m_at(log_p);
  const bool complete = cells_.for_each(threshold, most_steps, [&](const Index* index, double m) {
    const Tail tail = tail_of(m);
    if (tail.log_p <= log_p && !tensor_.is_listed(index) && !tensor_.is_missing(index)) {
      found.append(index, tail.log_p, tail.side);
    }
    return threshold;
  });
  steps_ += cells_.steps();
  return complete;
}

bool ZeroSearch::find_best(std::size_t count, double log_p, bool more, bool less, RankedCells& best) const {
  double bar = log_p;
  const auto sort = [&] {
    best.keep_best(count);
    if (best.size() == count) bar = std::min(bar, best.log_p.back());
  };
  sort();
  double threshold = m_at(bar);
  std::size_t added = 0;
  const bool complete = cells_.for_each(threshold, most_steps, [&](const Index* index, double m) {
    const Tail tail = tail_of(m);
    if (!(tail.side > 0 ? more : less) || tail.log_p > bar) return threshold;
    if (tensor_.is_listed(index) || tensor_.is_missing(index)) return threshold;
    best.append(index, tail.log_p, tail.side);
    // Sorting now and then is enough: what is kept too long is only not cut off yet.
    if (++added > count / 2 && best.size() >= count) {
      sort();
      added = 0;
      threshold = m_at(bar);
    }
    return threshold;
  });
  sort();
  steps_ += cells_.steps();
  return complete;
}

Threshold threshold_of(const std::vector<double>& sorted, double tested, double false_alarms) {
  Threshold out{log_of_nothing, 0};
  for (std::size_t k = sorted.size(); k > 0; --k) {
    if (sorted[k - 1] > std::log(false_alarms) + std::log(static_cast<double>(k)) - std::log(tested)) continue;
    out = {sorted[k - 1], k};
    break;
  }
  return out;
}

}  // namespace polyad
