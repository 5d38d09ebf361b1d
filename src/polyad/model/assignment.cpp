#include <polyad/base/error.hpp>
#include <polyad/model/compare.hpp>

#include <cmath>
#include <limits>

namespace polyad {

namespace {

constexpr std::size_t none = Score::npos;

/// The assignment problem for at most as many rows as columns. Rows enter one at a time; each is brought in
/// along a shortest path, in reduced costs, from the row to a column that is still free (Dijkstra; the dual
/// prices keep reduced costs nonnegative).
class AugmentingPaths {
 public:
  AugmentingPaths(const std::vector<double>& cost, std::size_t rows, std::size_t cols)
      : cost_(cost),
        cols_(cols),
        row_price_(rows, 0.0),
        col_price_(cols, 0.0),
        row_of_(cols, none),
        col_of_(rows, none),
        distance_(cols),
        previous_row_(cols),
        settled_(cols) {}

  std::vector<std::size_t> solve() {
    for (std::size_t row = 0; row < col_of_.size(); ++row) augment(row);
    return col_of_;
  }

 private:
  void augment(std::size_t start) {
    distance_.assign(cols_, std::numeric_limits<double>::infinity());
    settled_.assign(cols_, false);
    scanned_.clear();
    double reached = 0;
    std::size_t row = start;
    std::size_t col = none;
    do {
      relax_from(row, reached);
      col = nearest_unsettled();
      reached = distance_[col];
      settled_[col] = true;
      scanned_.push_back(col);
      row = row_of_[col];
    } while (row != none);

    row_price_[start] += reached;
    for (const std::size_t c : scanned_) {
      const double slack = reached - distance_[c];
      if (row_of_[c] != none) row_price_[row_of_[c]] += slack;
      col_price_[c] -= slack;
    }
    flip_path(start, col);
  }

  void relax_from(std::size_t row, double reached) {
    for (std::size_t c = 0; c < cols_; ++c) {
      const double length = reached + (cost_[row * cols_ + c] - row_price_[row] - col_price_[c]);
      if (settled_[c] || length >= distance_[c]) continue;
      distance_[c] = length;
      previous_row_[c] = row;
    }
  }

  // There always is one: not more rows than columns, and costs are finite.
  std::size_t nearest_unsettled() const {
    std::size_t best = none;
    for (std::size_t c = 0; c < cols_; ++c) {
      if (!settled_[c] && (best == none || distance_[c] < distance_[best])) best = c;
    }
    return best;
  }

  void flip_path(std::size_t start, std::size_t col) {
    for (std::size_t row = none; row != start;) {
      row = previous_row_[col];
      row_of_[col] = row;
      std::swap(col, col_of_[row]);
    }
  }

  const std::vector<double>& cost_;
  std::size_t cols_;
  std::vector<double> row_price_;
  std::vector<double> col_price_;
  std::vector<std::size_t> row_of_;
  std::vector<std::size_t> col_of_;
  std::vector<double> distance_;
  std::vector<std::size_t> previous_row_;
  std::vector<bool> settled_;
  std::vector<std::size_t> scanned_;
};

}  // namespace

std::vector<std::size_t> best_assignment(const std::vector<double>& profit, std::size_t rows, std::size_t cols) {
  if (profit.size() != rows * cols) {
    fail(ErrorKind::usage, "assignment: {} profits for {} rows and {} columns", profit.size(), rows, cols);
  }
  for (const double p : profit) {
    if (!std::isfinite(p)) fail(ErrorKind::data, "assignment: a profit is {}, they must be finite", p);
  }
  const bool wide = rows <= cols;
  std::vector<double> cost(profit.size());
  for (std::size_t p = 0; p < rows; ++p) {
    for (std::size_t q = 0; q < cols; ++q) cost[wide ? p * cols + q : q * rows + p] = -profit[p * cols + q];
  }
  if (wide) return AugmentingPaths(cost, rows, cols).solve();
  const std::vector<std::size_t> row_of = AugmentingPaths(cost, cols, rows).solve();
  std::vector<std::size_t> col_of(rows, none);
  for (std::size_t q = 0; q < cols; ++q) col_of[row_of[q]] = q;
  return col_of;
}

}  // namespace polyad
