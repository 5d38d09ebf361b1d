#include <polyad/kernel/every_cell.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace polyad {

namespace {

class PlainCells final : public CellSource {
 public:
  explicit PlainCells(const DenseTensor& tensor) : values_(tensor.values().data()) {}
  CellRun run(std::uint64_t first, std::size_t, double*, double*) const override { return {values_ + first, nullptr}; }

 private:
  const double* values_;
};

class WeightedCells final : public CellSource {
 public:
  explicit WeightedCells(const DenseTensor& tensor) : tensor_(tensor) {}
  CellRun run(std::uint64_t first, std::size_t count, double* x, double* w) const override {
    for (std::size_t t = 0; t < count; ++t) {
      const double value = tensor_.value(first + t);
      const bool missing = std::isnan(value);
      x[t] = missing ? 1.0 : value;
      w[t] = missing ? 0.0 : tensor_.weight(first + t);
    }
    return {x, w};
  }

 private:
  const DenseTensor& tensor_;
};

// Zeros, but for a list of cells sorted by position.
class ListedAmongZeros final : public CellSource {
 public:
  explicit ListedAmongZeros(const SparseTensor& tensor)
      : zero_weight_(tensor.unlisted() == Unlisted::missing ? 0.0 : tensor.zero_weight()),
        weighted_(zero_weight_ != 1.0 || tensor.weighted() || tensor.missing_cells() > 0) {
    cells_.reserve(tensor.listed() + tensor.missing_cells());
    const Records& listed = tensor.records();
    for (std::size_t i = 0; i < listed.size(); ++i) {
      cells_.push_back({position(tensor.space(), listed.index(i)), listed.value(i), listed.weight(i)});
    }
    const Records& missing = tensor.missing();
    for (std::size_t i = 0; i < tensor.missing_cells(); ++i) {
      cells_.push_back({position(tensor.space(), missing.index(i)), 1.0, 0.0});
    }
    std::ranges::sort(cells_, {}, &Cell::position);
  }

  CellRun run(std::uint64_t first, std::size_t count, double* x, double* w) const override {
    std::fill_n(x, count, zero_weight_ > 0 ? 0.0 : 1.0);
    if (weighted_) std::fill_n(w, count, zero_weight_);
    for (auto cell = std::ranges::lower_bound(cells_, first, {}, &Cell::position);
         cell != cells_.end() && cell->position < first + count; ++cell) {
      x[cell->position - first] = cell->x;
      if (weighted_) w[cell->position - first] = cell->w;
    }
    return {x, weighted_ ? w : nullptr};
  }

 private:
  struct Cell {
    std::uint64_t position;
    double x;
    double w;
  };

  static std::uint64_t position(const IndexSpace& space, const Index* index) {
    std::uint64_t at = 0;
    for (std::size_t k = 0; k < space.modes(); ++k) at = at * space.extent(k) + index[k];
    return at;
  }

  double zero_weight_;
  bool weighted_;
  std::vector<Cell> cells_;
};

}  // namespace

std::unique_ptr<CellSource> make_cell_source(const Tensor& tensor) {
  if (const SparseTensor* sparse = tensor.sparse()) return std::make_unique<ListedAmongZeros>(*sparse);
  const DenseTensor& dense = *tensor.dense();
  if (dense.weighted() || dense.observed() < dense.cells()) return std::make_unique<WeightedCells>(dense);
  return std::make_unique<PlainCells>(dense);
}

void dense_mttkrp(const Factors& model, const CellSource& source, std::size_t mode, std::size_t threads, Factors& out) {
  CellRule rule;
  rule.with_model = false;
  rule.only_mode = mode;
  rule.apply = [](const CellRun& run, std::size_t count, const double*, double* y) {
    if (run.w == nullptr) {
      std::copy_n(run.x, count, y);
    } else {
      for (std::size_t t = 0; t < count; ++t) y[t] = run.w[t] * run.x[t];
    }
    return 0.0;
  };
  every_cell_pass(model, source, rule, threads, out);
}

}  // namespace polyad
