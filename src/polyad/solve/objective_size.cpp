#include <polyad/solve/objective_size.hpp>

#include <polyad/loss/best_value.hpp>
#include <polyad/sample/sampler.hpp>

#include <cmath>
#include <map>

namespace polyad {

namespace {

constexpr std::uint64_t cells_looked_at = 2000;

// Every value with its weight in all.
std::map<double, double> value_weights(const Batch& batch) {
  std::map<double, double> weights;
  for (std::size_t t = 0; t < batch.size(); ++t) weights[batch.x[t]] += batch.w[t];
  return weights;
}

}  // namespace

double size_of_objective(const Tensor& tensor, const Loss& loss) {
  const std::map<double, double> weights = value_weights(typical_cells(tensor, cells_looked_at));
  const double constant = best_constant(loss, weights);
  LeastLoss least(loss);
  double difference = 0;
  double all = 0;
  double terms = 0;  // of which the difference may be rounding error
  for (const auto& [x, w] : weights) {
    const double null = loss.value(x, constant);
    difference += w * (null - least(x));
    terms += w * (std::abs(null) + std::abs(least(x)));
    all += w;
  }
  return difference > 1e-12 * terms ? difference : all;
}

double best_constant(const Tensor& tensor, const Loss& loss) {
  return best_constant(loss, value_weights(typical_cells(tensor, cells_looked_at)));
}

}  // namespace polyad
