#pragma once
// Data and model values to try a loss at.

#include <polyad/loss/all.hpp>

#include <type_traits>
#include <vector>

namespace polyad::testing {

inline std::vector<double> data_values(Domain domain) {
  switch (domain) {
    case Domain::real:
      return {-1e3, -2.5, -0.3, 0, 1e-3, 0.7, 1, 4, 1e4};
    case Domain::nonnegative:
      return {0, 1e-3, 0.7, 1, 4, 150, 1e6};
    case Domain::positive:
      return {1e-3, 0.7, 1, 4, 150, 1e6};
    case Domain::binary:
      return {0, 1};
    case Domain::count:
      return {0, 1, 2, 7, 1000};
    case Domain::positive_count:
      return {1, 2, 7, 1000};
  }
  return {};
}

inline std::vector<double> model_values(double lower) {
  if (lower == 0) return {0.01, 0.2, 0.49, 0.51, 1, 3, 17, 200};
  return {-40, -3, -0.5, 0, 0.2, 1, 3, 17, 40};
}

/// Calls visit(L{}) for every type in the list.
template <class Visit>
void for_each_loss(Visit&& visit) {
  std::apply([&](const auto&... loss) { (visit(loss), ...); }, AllLosses{});
}

/// The built-in losses, and those with a parameter at other settings too.
inline std::vector<Loss> many_losses() {
  std::vector<Loss> losses(all_losses().begin(), all_losses().end());
  for (const double delta : {0.01, 0.25, 50.0}) losses.push_back(Loss::of(Huber{delta}));
  for (const double r : {0.5, 1.0, 100.0}) losses.push_back(Loss::of(NegativeBinomial{r}));
  for (const double beta : {-1.5, -0.5, 0.0, 0.3, 0.75, 1.0, 1.5, 2.0, 3.0}) {
    losses.push_back(Loss::of(BetaDivergence{beta}));
  }
  return losses;
}

}  // namespace polyad::testing
