#pragma once
// First-order update rules. An optimiser is a stateless rule; what it remembers lives in `Moments`, a value
// that the solver copies, restores and stores as it likes. Optimisers see spans, never tensors.
//
// The rules are adam, amsgrad, adagrad and sgd: rules.hpp is their table, and rules/ has a file for each with its formula.
// There g is the gradient, a the parameter, all operations are elementwise, and t is the number of steps including this one.

#include <polyad/detail/aligned.hpp>
#include <polyad/options/steps.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

namespace polyad {

/// Bounds as part of a step. A comparison with NaN is false, so a NaN passes through both tests and stays visible: std::max and
/// std::clamp would depend on the order of their arguments and may turn it into a bound.
inline double clamp_keeping_nan(double value, double lower, double upper) {
  value = lower > value ? lower : value;
  return upper < value ? upper : value;
}

/// What a rule remembers. Which arrays are used depends on the rule.
template <class T>
struct MomentsOf {
  AlignedVector<T> first;   ///< mean gradient (adam, amsgrad), velocity (sgd)
  AlignedVector<T> second;  ///< mean squared gradient (adam, amsgrad), sum of squares (adagrad)
  AlignedVector<T> peak;    ///< largest second moment so far (amsgrad)
  std::uint64_t steps = 0;  ///< steps taken

  friend bool operator==(const MomentsOf&, const MomentsOf&) = default;
};
using Moments = MomentsOf<double>;

/// A stretch of the parameters with its own bounds: one factor matrix.
struct Segment {
  std::size_t begin = 0;
  std::size_t size = 0;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  bool fixed = false;  ///< not updated at all
};

/// The numbers of one step, the same for all parameters: computed once, above the loops.
struct StepNumbers {
  double rate = 0;         ///< bias correction of the first moment included (adam, amsgrad)
  double correction2 = 1;  ///< bias correction of the second moment
  double beta1 = 0;        ///< momentum (sgd)
  double beta2 = 0;
  double epsilon = 0;
  double gradient_scale = 1;
};

/// A stretch of parameters with all that belongs to them; arrays that the rule does not use may be null.
template <class T>
struct StepArrays {
  T* parameters = nullptr;
  T* gradient = nullptr;
  T* first = nullptr;
  T* second = nullptr;
  T* peak = nullptr;
  std::size_t size = 0;
};

/// An update rule. A step is elementwise, so it may be taken in pieces, by several threads, in any order: the numbers
/// first, then every piece once.
///
/// The gradient may be given times a power of two, `gradient_scale`, without changing the steps: in single precision the
/// square of a gradient of 1e20 would overflow and freeze its parameter for ever.
class Optimizer {
 public:
  /// A usage error where an option breaks its rule.
  explicit Optimizer(const OptimizerOptions& options);

  /// Zero moments for n parameters.
  template <class T = double>
  MomentsOf<T> start(std::size_t n) const;

  /// One step, then the bounds: parameters = clamp(parameters - rate * direction). Advances moments.steps by one. A fixed
  /// segment keeps its parameters and its moments; parameters outside every segment are left alone.
  template <class T>
  void step(std::span<T> parameters, std::span<const T> gradient, MomentsOf<T>& moments, double rate,
            std::span<const Segment> segments) const;
  void step(std::span<double> parameters, std::span<const double> gradient, Moments& moments, double rate,
            std::span<const Segment> segments) const {
    step<double>(parameters, gradient, moments, rate, segments);
  }

  /// The numbers of step `steps` (counted from 1).
  StepNumbers numbers(std::uint64_t steps, double rate, double gradient_scale = 1) const;
  /// Takes a step with one piece and clears its gradient for the next one.
  template <class T>
  void step_and_clear(const StepNumbers& numbers, const StepArrays<T>& piece, double lower, double upper) const;

 private:
  OptimizerOptions options_;
};

std::unique_ptr<Optimizer> make_optimizer(const OptimizerOptions& options);

/// The piece of a whole from `begin` on.
template <class T>
StepArrays<T> piece_of(std::span<T> parameters, std::span<T> gradient, MomentsOf<T>& moments, std::size_t begin,
                       std::size_t size) {
  const auto at = [&](AlignedVector<T>& moment) { return moment.empty() ? nullptr : moment.data() + begin; };
  return {parameters.data() + begin, gradient.data() + begin, at(moments.first),
          at(moments.second),        at(moments.peak),        size};
}

}  // namespace polyad
