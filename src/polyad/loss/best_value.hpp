#pragma once
// What a loss would be at best. Deviance measures a model between two marks: the best constant (the null model) and the
// model that equals the data. Both are minima over one number, found without knowing the loss: by bracketing downhill and
// Brent's method, over log m where the loss asks for m >= 0.

#include <polyad/loss/block.hpp>

#include <map>

namespace polyad {

/// The m that minimises sum of weight f(x, m) over the pairs of `values` (x -> weight, at least one positive).
double best_constant(const Loss& loss, const std::map<double, double>& values);

/// min over m of f(x, m), remembered by x.
class LeastLoss {
 public:
  explicit LeastLoss(const Loss& loss) : loss_(loss) {}
  double operator()(double x);

 private:
  const Loss& loss_;
  std::map<double, double> known_;
};

/// The x at which this m is the best fit: df/dm(x, m) = 0. For losses that are linear in x, which all but rayleigh and
/// huber are, this is the mean of x that m stands for (odds 3 -> 0.75), whatever the link.
double expected_value(const Loss& loss, double m);

}  // namespace polyad
