#include <polyad/apply/surprise_lists.hpp>

#include <polyad/base/parallel.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace polyad {

namespace {

constexpr double least_share = 0.1;  // of a component that is named
constexpr std::size_t most_components = 3;

// A model of some of the modes: components times the column sums of all others, for shares of components.
class Shares {
 public:
  explicit Shares(const Factors& model) : model_(model) {
    for (std::size_t k = 0; k < model.modes(); ++k) {
      std::vector<double>& sums = sums_.emplace_back(model.rank());
      for (std::size_t i = 0; i < model.rows(k); ++i) {
        for (std::size_t j = 0; j < model.rank(); ++j) sums[j] += model.at(k, i, j);
      }
    }
  }

  std::vector<std::pair<std::size_t, double>> of(const std::vector<std::size_t>& modes,
                                                 const std::vector<Index>& index) const {
    std::vector<std::pair<std::size_t, double>> parts;
    double all = 0;
    for (std::size_t j = 0; j < model_.rank(); ++j) {
      double part = 1;
      for (std::size_t k = 0; k < model_.modes(); ++k) {
        const auto held = std::ranges::find(modes, k);
        part *=
            held == modes.end() ? sums_[k][j] : model_.at(k, index[static_cast<std::size_t>(held - modes.begin())], j);
      }
      parts.emplace_back(j, part);
      all += std::abs(part);
    }
    std::ranges::stable_sort(parts,
                             [](const auto& a, const auto& b) { return std::abs(a.second) > std::abs(b.second); });
    for (auto& part : parts) part.second = all > 0 ? part.second / all : 0.0;
    std::erase_if(parts, [](const auto& part) { return std::abs(part.second) < least_share; });
    if (parts.size() > most_components) parts.resize(most_components);
    return parts;
  }

 private:
  const Factors& model_;
  std::vector<std::vector<double>> sums_;
};

double value_of(const Tensor& tensor, const Index* cell) {
  if (const DenseTensor* dense = tensor.dense()) return dense->value(dense->position({cell, tensor.space().modes()}));
  return tensor.sparse()->is_listed(cell) ? tensor.sparse()->records().value(tensor.sparse()->find(cell)) : 0.0;
}

SurpriseList cell_list(const Tensor& tensor, const Judge& judge, const SurpriseOptions& options, const Shares& shares,
                       const FoundCells& found) {
  SurpriseList list;
  list.modes.resize(tensor.space().modes());
  std::iota(list.modes.begin(), list.modes.end(), std::size_t{0});
  list.tested = tensor.observed();
  list.threshold = found.threshold.log_p;
  list.marked = found.threshold.marked;
  Batch batch;
  batch.resize(list.modes.size(), found.best.size(), false);
  for (std::size_t t = 0; t < found.best.size(); ++t) {
    for (std::size_t k = 0; k < list.modes.size(); ++k) batch.index[k][t] = found.best.at(t)[k];
  }
  std::vector<double> mean;
  judge.means(batch, mean);
  for (std::size_t t = 0; t < found.best.size(); ++t) {
    SurpriseEntry finding;
    finding.index.assign(found.best.at(t), found.best.at(t) + list.modes.size());
    finding.observed = value_of(tensor, found.best.at(t));
    finding.expected = mean[t];
    std::tie(finding.low, finding.high) = judge.law.interval(mean[t], options.level);
    finding.log_p = found.best.log_p[t];
    finding.residual = judge.law.residual(mean[t], finding.observed);
    finding.side = found.best.side[t];
    finding.marked = finding.log_p <= list.threshold;
    finding.components = shares.of(list.modes, finding.index);
    list.findings.push_back(std::move(finding));
  }
  return list;
}

// The least p of some tests, and whose it is.
struct Least : Tail {
  Place place;
};

// A table of totals as a list. `tails` has the p of every entry.
SurpriseList total_list(const TotalsTable& table, const Judge& judge, const SurpriseOptions& options,
                        const Shares& shares, const std::vector<Tail>& tails, const FoundCells& found) {
  SurpriseList list;
  list.modes = table.modes;
  list.tested = static_cast<double>(
      std::ranges::count_if(table.totals, [](const CellTotal& total) { return total.cells > 0.5; }));
  std::vector<double> sorted;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < tails.size(); ++i) {
    if (!(table.totals[i].cells > 0.5)) continue;
    if (tails[i].log_p <= std::log(options.false_alarms)) sorted.push_back(tails[i].log_p);
    if (tails[i].log_p <= least_listed && is_wanted(tails[i].side, options.direction)) order.push_back(i);
  }
  std::ranges::sort(sorted);
  const Threshold threshold = threshold_of(sorted, list.tested, options.false_alarms);
  list.threshold = threshold.log_p;
  list.marked = threshold.marked;
  const std::size_t count = std::min<std::size_t>(options.top, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    [&](std::size_t a, std::size_t b) {
                      return tails[a].log_p != tails[b].log_p ? tails[a].log_p < tails[b].log_p : a < b;
                    });
  order.resize(count);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> inside(tails.size());
  for (const RankedCells* cells : {&found.probable, &found.zeros}) {
    for (std::size_t t = 0; t < cells->size(); ++t) {
      if (cells->log_p[t] > found.threshold.log_p) continue;
      auto& counts = inside[table.position(cells->at(t))];
      ++(cells->side[t] > 0 ? counts.first : counts.second);
    }
  }
  for (const std::size_t i : order) {
    const CellTotal& total = table.totals[i];
    SurpriseEntry finding;
    finding.index = table.index_of(i);
    finding.observed = total.observed;
    finding.expected = total.mean;
    std::tie(finding.low, finding.high) = judge.law.total_interval(total, options.level);
    finding.log_p = tails[i].log_p;
    finding.side = tails[i].side;
    finding.residual = total.variance > 0 ? (total.observed - total.mean) / std::sqrt(total.variance) : 0.0;
    finding.marked = finding.log_p <= list.threshold;
    finding.components = shares.of(list.modes, finding.index);
    finding.more = inside[i].first;
    finding.less = inside[i].second;
    list.findings.push_back(std::move(finding));
  }
  return list;
}

std::vector<Tail> tails_of(const TotalsTable& table, const SurpriseLaw& law) {
  std::vector<Tail> tails(table.totals.size());
  for (std::size_t i = 0; i < tails.size(); ++i) tails[i] = law.total(table.totals[i]);
  return tails;
}

// A slice by its total, its pairs and its cells: the least p, each after the correction for how many tests it is the least of.
std::vector<Least> judge_slices(std::size_t mode, const std::vector<TotalsTable>& tables,
                                const std::vector<std::vector<Tail>>& tails, const FoundCells& found) {
  const std::vector<CellTotal>& totals = tables[mode].totals;
  std::vector<Least> pair(totals.size()), cell(totals.size()), out(totals.size());
  double pairs = 0;
  for (std::size_t w = 0; w < tables.size(); ++w) {
    const TotalsTable& other = tables[w];
    const auto held = std::ranges::find(other.modes, mode);
    if (other.modes.size() != 2 || held == other.modes.end()) continue;
    const bool first = held == other.modes.begin();
    pairs += static_cast<double>(other.extents[first ? 1 : 0]);
    for (std::size_t i = 0; i < tails[w].size(); ++i) {
      Least& least = pair[first ? i / other.extents[1] : i % other.extents[1]];
      if (!(tails[w][i].log_p < least.log_p)) continue;
      static_cast<Tail&>(least) = tails[w][i];
      least.place = {other.modes, other.index_of(i)};
    }
  }
  for (const RankedCells* cells : {&found.probable, &found.zeros}) {
    for (std::size_t t = 0; t < cells->size(); ++t) {
      Least& least = cell[cells->at(t)[mode]];
      if (!(cells->log_p[t] < least.log_p)) continue;
      least.log_p = cells->log_p[t];
      least.side = cells->side[t];
      least.place.index.assign(cells->at(t), cells->at(t) + cells->modes);
    }
  }
  const double tests = std::log(pairs > 0 ? 3.0 : 2.0);
  for (std::size_t i = 0; i < totals.size(); ++i) {
    const double of_total = tails[mode][i].log_p;
    const double of_pair = pairs > 0 ? pair[i].log_p + std::log(pairs) : 0.0;
    const double of_cell = cell[i].log_p + std::log(std::max(1.0, totals[i].cells));
    if (of_pair < of_total && of_pair <= of_cell) {
      out[i] = std::move(pair[i]);
    } else if (of_cell < of_total) {
      out[i] = std::move(cell[i]);
      out[i].place.modes.resize(out[i].place.index.size());
      std::iota(out[i].place.modes.begin(), out[i].place.modes.end(), std::size_t{0});
    } else {
      static_cast<Tail&>(out[i]) = tails[mode][i];
    }
    out[i].log_p = std::min(0.0, tests + std::min({of_total, of_pair, of_cell}));
  }
  return out;
}

}  // namespace

void make_lists(const Tensor& tensor, const Judge& judge, const SurpriseOptions& options, const Totals& totals,
                const FoundCells& found, Surprise& out) {
  const Shares shares(judge.model);
  out.cells = cell_list(tensor, judge, options, shares, found);
  const std::vector<TotalsTable>& tables = totals.tables();
  std::vector<std::vector<Tail>> tails(tables.size());
  parallel_tasks(tables.size(), judge.threads, [&](std::size_t w) { tails[w] = tails_of(tables[w], judge.law); });
  for (std::size_t w = 0; w < tables.size(); ++w) {
    if (tables[w].modes.size() == 2) {
      out.pairs.push_back(total_list(tables[w], judge, options, shares, tails[w], found));
      continue;
    }
    const std::vector<Least> least = judge_slices(tables[w].modes[0], tables, tails, found);
    SurpriseList& list =
        out.slices.emplace_back(total_list(tables[w], judge, options, shares, {least.begin(), least.end()}, found));
    for (SurpriseEntry& finding : list.findings) finding.through = least[finding.index[0]].place;
    std::vector<double>& scores = out.slice_scores.emplace_back();
    for (const Least& slice : least) scores.push_back(slice.side * -slice.log_p / std::log(10.0));
  }
}

}  // namespace polyad
