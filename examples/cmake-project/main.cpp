// What is sold where on which weekday: a small sparse tensor of counts made in code, fitted, and printed by
// its labels.

#include <polyad/fit/fit.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace {

const std::vector<polyad::ModeLabels> modes = {
    {"product", {"bread", "milk", "coffee", "cake", "wine", "flowers"}},
    {"weekday", {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"}},
    {"shop", {"station", "school", "harbour", "park"}},
};

// Two habits: bread, milk and coffee on working days at the station and the school; cake, wine and flowers at
// weekends at the harbour and in the park.
polyad::Tensor make_sales() {
  polyad::Records sales(modes.size());
  for (polyad::Index product = 0; product < 6; ++product) {
    for (polyad::Index day = 0; day < 7; ++day) {
      for (polyad::Index shop = 0; shop < 4; ++shop) {
        const bool daily = product < 3 && day < 5 && shop < 2;
        const bool festive = product >= 3 && day >= 5 && shop >= 2;
        const polyad::Index cell[] = {product, day, shop};
        if (daily || festive) sales.append(cell, daily ? 12 - 2.0 * product : 4.0 * product - 6);
      }
    }
  }
  return {polyad::SparseTensor(polyad::IndexSpace({6, 7, 4}), sales), polyad::Labels(modes)};
}

void print_component(const polyad::FitResult& result, std::size_t component) {
  const polyad::KTensor& model = result.model;
  fmt::print("component {}, weight {:.1f}\n", component + 1, model.weights[component]);
  for (std::size_t mode = 0; mode < model.modes(); ++mode) {
    std::vector<std::size_t> order(model.factors.rows(mode));
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto strength = [&](std::size_t i) { return model.factors.at(mode, i, component); };
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return strength(a) > strength(b); });
    fmt::print("  {:8}", result.labels.mode_name(mode));
    for (std::size_t n = 0; n < 3; ++n) {
      fmt::print("  {} {:.2f}", result.labels.entry(mode, order[n]), strength(order[n]));
    }
    fmt::print("\n");
  }
}

}  // namespace

int main() {
  const polyad::Tensor tensor = make_sales();

  polyad::FitOptions options;
  options.rank = 2;
  options.loss = "poisson";
  const polyad::FitResult result = polyad::fit(tensor, options);

  for (std::size_t j = 0; j < result.model.rank(); ++j) print_component(result, j);
}
