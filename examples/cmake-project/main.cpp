// What is sold where on which weekday: a small sparse tensor of counts made in code, fitted, and printed by its labels.

#include <polyad/polyad.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <numeric>
#include <vector>

namespace {

const polyad::Labels labels({
    {"product", {"bread", "milk", "coffee", "cake", "wine", "flowers"}},
    {"weekday", {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"}},
    {"shop", {"station", "school", "harbour", "park"}},
});

// Two habits: bread, milk and coffee on working days at the station and the school; cake, wine and flowers at weekends at the
// harbour and in the park. One array of indices per mode, and one of counts.
polyad::Tensor make_sales() {
  std::vector<int> products, days, shops;
  std::vector<double> counts;
  for (int product = 0; product < 6; ++product) {
    for (int day = 0; day < 7; ++day) {
      for (int shop = 0; shop < 4; ++shop) {
        const bool daily = product < 3 && day < 5 && shop < 2;
        const bool festive = product >= 3 && day >= 5 && shop >= 2;
        if (!daily && !festive) continue;
        products.push_back(product);
        days.push_back(day);
        shops.push_back(shop);
        counts.push_back(daily ? 12 - 2.0 * product : 4.0 * product - 6);
      }
    }
  }
  return polyad::Tensor::from_columns({6, 7, 4}, {products, days, shops}, counts, {.labels = labels});
}

void print_component(const polyad::FitResult& result, std::size_t component) {
  const polyad::KTensor& model = result.model;
  std::printf("component %zu, weight %.1f\n", component + 1, model.weights[component]);
  for (std::size_t mode = 0; mode < model.modes(); ++mode) {
    std::vector<std::size_t> order(model.factors.rows(mode));
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto strength = [&](std::size_t i) { return model.factors.at(mode, i, component); };
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return strength(a) > strength(b); });
    std::printf("  %-8s", result.labels.mode_name(mode).c_str());
    for (std::size_t n = 0; n < 3; ++n) {
      std::printf("  %s %.2f", result.labels.entry(mode, order[n]).c_str(), strength(order[n]));
    }
    std::printf("\n");
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
