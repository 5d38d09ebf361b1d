#pragma once
// What a loss would be at best. Deviance measures a model between two marks: the best constant (the null model) and the
// model that equals the data. Both are minima over one number, found without knowing the loss: by bracketing downhill and
// Brent's method, over log m where the loss asks for m >= 0.

#include <polyad/loss.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace polyad {

/// Values with the weight that each has in all. Values that repeat (counts, yes and no) take one entry; a list of values that
/// are all different stays a list. Cheap per value: about as much as a look into a table of 64k slots.
class ValueWeights {
 public:
  ValueWeights();
  void add(double x, double weight);
  /// Every value with its weight; a value may stand there more than once.
  void collect(std::vector<double>& values, std::vector<double>& weights) const;

 private:
  struct Slot {
    double x = 0, weight = 0;
    bool used = false;
  };
  std::vector<Slot> slots_;
  std::vector<std::pair<double, double>> others_;  // whose slot another value has
};

/// The m that minimises sum of weight f(x, m) over the pairs (at least one weight is positive).
double best_constant(const Loss& loss, std::span<const double> values, std::span<const double> weights);
double best_constant(const Loss& loss, const ValueWeights& values);
double best_constant(const Loss& loss, const std::map<double, double>& values);

/// min over m of f(x, m). What was found for x is remembered, and so is the ratio m / x: for most losses it is the same for
/// all x, which makes values that are all different as cheap as three evaluations each.
class LeastLoss {
 public:
  explicit LeastLoss(const Loss& loss);
  double operator()(double x);
  /// The same for many at once.
  void values(std::size_t n, const double* x, double* out);

 private:
  struct Known {
    double x = 0, least = 0;
    bool used = false;
  };
  const Loss& loss_;
  std::vector<Known> known_;
  double ratio_ = 1;
};

/// The x at which this m is the best fit: df/dm(x, m) = 0. For losses that are linear in x, which all but rayleigh and
/// huber are, this is the mean of x that m stands for (odds 3 -> 0.75), whatever the link.
double expected_value(const Loss& loss, double m);
void expected_values(const Loss& loss, std::size_t n, const double* m, double* out);

}  // namespace polyad
