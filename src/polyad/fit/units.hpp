#pragma once
// The unit of the data must not change what is found. Where the loss has one (LossInfo::units), the data are divided by a
// power of two near their size while they are fitted, which loses no bit; the model's weights and all objectives are brought
// back afterwards.
//
//   F = c^degree F' + what no model can change,   c the unit, F' the objective of the data divided by it

#include <polyad/loss.hpp>
#include <polyad/options.hpp>
#include <polyad/solve/solver.hpp>
#include <polyad/tensor/tensor.hpp>

namespace polyad {

/// The unit that auto means. 1 where the loss has none, and where an option is given that is itself a size.
double default_unit(const Tensor& tensor, const Loss& loss, const FitOptions& options);

/// Root mean square of the nonzero values; 0 where there are none.
double size_of_values(const Tensor& tensor);

class FitUnits {
 public:
  /// O(1), or a pass over the stored cells where they have weights of their own and the loss needs their sums.
  FitUnits(const Tensor& tensor, const Loss& loss, double unit);

  double unit() const { return unit_; }
  const Loss& loss() const { return inner_; }  ///< of the data divided by the unit

  /// Whether objectives of the data as they are can be held in numbers. Squares of 1e200 cannot: objectives then stay those of
  /// the data divided by the unit, rather than 0 or infinity.
  bool objective_fits() const { return objective_fits_; }
  /// The objective of the data as they are, from that of the data divided by the unit.
  double objective(double inner) const { return factor_ * inner + shift_; }
  /// A monitor that sees objectives of the data as they are.
  Monitor outward(const Monitor& monitor) const;
  /// The same for what a start found; the unit is multiplied into the first mode.
  void outward(StartResult& result) const;

 private:
  double unit_;
  Loss inner_;
  bool objective_fits_ = true;
  double factor_ = 1;
  double shift_ = 0;
};

}  // namespace polyad
