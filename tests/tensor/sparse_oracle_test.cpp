// Random histories of a sparse tensor (entries, masks, weights, weight of zeros), followed by a model made of
// std::map and compared in every cell.

#include <polyad/base/rng.hpp>
#include <polyad/tensor/sparse.hpp>
#include <tensor/helpers.hpp>

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace polyad {
namespace {

using Cell = std::vector<Index>;

struct Oracle {
  std::vector<std::uint64_t> extents;
  bool unlisted_are_zeros = true;
  std::map<Cell, std::pair<double, double>> listed;  // value, weight
  std::set<Cell> missing;
  BuildReport report;

  void build(const std::vector<Entry>& entries, bool weighted) {
    for (const Entry& entry : entries) {
      const auto [at, fresh] = listed.try_emplace(entry.cell, 0.0, entry.weight);
      at->second.first += entry.value;
      if (!fresh) ++report.duplicates_summed;
    }
    for (auto at = listed.begin(); at != listed.end();) {
      const bool zero = !weighted && unlisted_are_zeros && at->second.first == 0;
      report.zeros_dropped += zero ? 1 : 0;
      at = zero ? listed.erase(at) : std::next(at);
    }
    drop_weight_zero();
  }
  void mask(const std::vector<Entry>& cells) {
    for (const Entry& entry : cells) {
      report.masked_dropped += listed.erase(entry.cell);
      if (unlisted_are_zeros) missing.insert(entry.cell);
    }
  }
  void weigh(const std::vector<Entry>& weights) {
    for (const Entry& entry : weights) {
      const auto at = listed.find(entry.cell);
      if (at != listed.end()) {
        at->second.second = entry.value;
      } else if (unlisted_are_zeros && !missing.contains(entry.cell)) {
        if (entry.value == 0) {
          missing.insert(entry.cell);
        } else {
          listed[entry.cell] = {0.0, entry.value};
        }
      }
    }
    drop_weight_zero();
  }
  void drop_weight_zero() {
    for (auto at = listed.begin(); at != listed.end();) {
      if (at->second.second != 0) {
        ++at;
        continue;
      }
      ++report.weight_zero_dropped;
      if (unlisted_are_zeros) missing.insert(at->first);
      at = listed.erase(at);
    }
  }
  void expect_same(const SparseTensor& tensor) const {
    double zeros = 0;
    double observed = 0;
    for_each_cell(extents, [&](const Cell& cell) {
      const auto known = listed.find(cell);
      const std::uint32_t found = tensor.find(cell.data());
      ASSERT_EQ(found != CellSet::absent, known != listed.end());
      ASSERT_EQ(tensor.is_listed(cell.data()), known != listed.end());
      ASSERT_EQ(tensor.is_missing(cell.data()), missing.contains(cell));
      if (known != listed.end()) {
        ASSERT_EQ(tensor.records().value(found), known->second.first);
        ASSERT_EQ(tensor.records().weight(found), known->second.second);
        ++observed;
      } else if (unlisted_are_zeros && !missing.contains(cell)) {
        ++zeros;
        ++observed;
      }
    });
    for (std::size_t i = 1; i < tensor.listed(); ++i) {
      ASSERT_LE(tensor.records().index(i - 1)[tensor.grouping_mode()],
                tensor.records().index(i)[tensor.grouping_mode()]);
    }
    EXPECT_EQ(tensor.listed(), listed.size());
    EXPECT_EQ(tensor.missing_cells(), missing.size());
    EXPECT_EQ(tensor.missing().size(), missing.size());
    EXPECT_EQ(tensor.zeros(), zeros);
    EXPECT_EQ(tensor.observed(), observed);
  }
};

class History {
 public:
  explicit History(std::uint64_t seed) : draw_(RandomStream(seed, Purpose::problem)) {}

  void run() {
    Oracle oracle;
    for (std::size_t k = 0, modes = 1 + below(4); k < modes; ++k) oracle.extents.push_back(1 + below(6));
    oracle.unlisted_are_zeros = below(3) != 0;
    const bool weighted = below(2) != 0;

    std::vector<Entry> entries = cells_of(oracle.extents);
    for (Entry& entry : entries) {
      // Small whole numbers: sums are exact in any order and often cancel.
      entry.value = static_cast<double>(below(5)) - 2;
      entry.weight = weighted ? weight_of(entry.cell) : 1.0;
    }
    const std::size_t modes = oracle.extents.size();
    BuildReport report;
    SparseTensor tensor(IndexSpace(oracle.extents), records_of(modes, entries, weighted),
                        oracle.unlisted_are_zeros ? Unlisted::zero : Unlisted::missing, &report);
    oracle.build(entries, weighted);
    oracle.expect_same(tensor);

    for (std::uint64_t step = 0, steps = below(4); step < steps; ++step) {
      const std::uint64_t what = below(5);
      if (what < 2) {
        const auto cells = cells_of(oracle.extents);
        tensor.set_missing(records_of(modes, cells), &report);
        oracle.mask(cells);
      } else if (what < 4) {
        auto weights = cells_of(oracle.extents);
        ++salt_;
        for (Entry& entry : weights) entry.value = weight_of(entry.cell);
        tensor.set_weights(records_of(modes, weights), &report);
        oracle.weigh(weights);
      } else {
        tensor.set_zero_weight(0);
        oracle.unlisted_are_zeros = false;
        oracle.missing.clear();
      }
      oracle.expect_same(tensor);
    }
    EXPECT_EQ(report.duplicates_summed, oracle.report.duplicates_summed);
    EXPECT_EQ(report.zeros_dropped, oracle.report.zeros_dropped);
    EXPECT_EQ(report.masked_dropped, oracle.report.masked_dropped);
    EXPECT_EQ(report.weight_zero_dropped, oracle.report.weight_zero_dropped);
  }

 private:
  std::uint64_t below(std::uint64_t n) { return draw_() % n; }
  std::vector<Entry> cells_of(const std::vector<std::uint64_t>& extents) {
    std::vector<Entry> cells(below(60));
    for (Entry& entry : cells) {
      for (const std::uint64_t n : extents) entry.cell.push_back(static_cast<Index>(below(n)));
    }
    return cells;
  }
  // A function of the cell, so that duplicates agree: 0, 0.5, 1, 1.5 or 2.
  double weight_of(const Cell& cell) const {
    std::uint64_t sum = salt_;
    for (const Index i : cell) sum = 7 * sum + i;
    return 0.5 * static_cast<double>(sum % 5);
  }

  Generator draw_;
  std::uint64_t salt_ = 0;
};

TEST(SparseOracle, RandomHistoriesAgreeInEveryCell) {
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE(seed);
    History(seed).run();
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace polyad
