#include <polyad/report/text/top_entries.hpp>

#include <algorithm>
#include <cmath>

namespace polyad {

std::vector<std::size_t> top_entries(const std::vector<double>& column, std::size_t count) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < column.size(); ++i) {
    if (column[i] != 0) order.push_back(i);
  }
  const auto larger = [&](std::size_t a, std::size_t b) {
    const double x = std::abs(column[a]), y = std::abs(column[b]);
    return x != y ? x > y : a < b;
  };
  const std::size_t kept = std::min(count, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(), larger);
  order.resize(kept);
  return order;
}

std::vector<double> column_of(const KTensor& model, std::size_t mode, std::size_t j) {
  std::vector<double> column(model.factors.rows(mode));
  for (std::size_t i = 0; i < column.size(); ++i) column[i] = model.factors.at(mode, i, j);
  return column;
}

}  // namespace polyad
