#pragma once
// What a loss is. A loss header holds mathematics only: `info`, `value` and `deriv`, both templates over the
// number type, in the numerically stable form. Everything else (block loops, look-up by name, help, docs,
// tests) is made from the list in all.hpp.
//
//   struct Poisson {
//     static constexpr LossInfo info = {...};
//     template <class T> T value(T x, T m) const { ... }
//     template <class T> T deriv(T x, T m) const { ... }   // with respect to m; may be left out: see
//     user.hpp
//   };
//
// A loss with parameters has them as members and lists them in `parameters()`. Where a fact depends on a
// parameter (the domain of beta-divergence does), `LossInfo instance_info() const` gives the facts of this
// one; it wins over `info`.
//
// The number type T is double, Dual, or Lanes (several numbers at once): write `using std::log; log(m)`, not
// `std::log(m)`, and `select(condition, yes, no)` instead of a branch on x or m. A loss written so says `static constexpr
// bool in_lanes = true` and then runs on whole vectors; without it, one entry at a time. Losses with lower bound 0 are
// evaluated at m >= 0 only.

#include <polyad/base/dual.hpp>
#include <polyad/base/error.hpp>
#include <polyad/base/lanes.hpp>

#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace polyad {

/// Which data values a loss can take.
enum class Domain { real, nonnegative, positive, binary, count, positive_count };

/// "whole numbers 0, 1, 2, ...", for messages.
std::string_view describe(Domain domain);
/// Whether x is one of these values; NaN and infinities never are.
bool contains(Domain domain, double x);

/// Whether the sum over all cells of f(0, m) has a closed form in the factors (it makes zeros exact and
/// free).
enum class ZeroSum {
  none,
  linear,     ///< f(0,m) = m:   sum_j prod_k (column sums)
  quadratic,  ///< f(0,m) = m^2: sum over the elementwise product of Gram matrices
};

/// The problem that one row of a factor poses while all else is fixed, where an exact method exists for it.
enum class RowProblem {
  none,
  least_squares,       ///< linear equations: alternating least squares
  poisson_regression,  ///< convex, factors at least 0: alternating Poisson regression
};

/// The law of the data whose negative log-likelihood the loss is, up to its scale and to what no model can change
/// (likelihood.hpp). Losses without one give expected values, but no intervals and no tail probabilities.
enum class Law { none, normal, poisson, negative_binomial, zero_truncated_poisson, bernoulli, gamma, rayleigh };

/// What a change of the data's unit does to a loss: f(c x, c m) = c^degree f(x, m), plus what no model can change,
///
///   per_cell E(degree) + per_value c x E(degree - 1),   E(q) = (c^q - 1) / q, or log c where q = 0.
///
/// A loss without a degree has no unit to change: its data are counts or yes/no, or m is not on their scale.
struct UnitRule {
  double degree = std::numeric_limits<double>::quiet_NaN();
  double per_cell = 0;
  double per_value = 0;

  bool any() const { return !std::isnan(degree); }
};

inline constexpr double no_bound = -std::numeric_limits<double>::infinity();

/// Added to m inside logarithms and divisions, so that f stays finite at the bound m = 0.
inline constexpr double loss_epsilon = 1e-10;

/// The texts of a built-in loss live for ever, those of a user's own loss as long as the Loss or a copy of
/// it.
struct LossInfo {
  std::string_view name;
  std::string_view formula;      ///< f(x, m), for people
  std::string_view data;         ///< what data it is for: "counts", "yes/no (0 and 1)"
  std::string_view link;         ///< what m means: "m is the expected count"
  double lower = no_bound;       ///< default lower bound of the factors
  Domain domain = Domain::real;  ///< allowed data values
  ZeroSum zero_sum = ZeroSum::none;
  /// df/dm at x = 0 where it is the same for every m (NaN: it is not): zeros then need no value of the model.
  double zero_slope = std::numeric_limits<double>::quiet_NaN();
  UnitRule units = {};
  RowProblem row_problem = RowProblem::none;
  Law law = Law::none;
  /// f is convex in m for every x of the domain: a row of a factor, all else fixed, then has one minimum (solve/rows).
  bool convex = false;
};

/// A named number within a loss, such as huber's delta.
template <class L>
struct LossParameter {
  std::string_view name;
  double L::*member;
  std::string_view help;
  double above = no_bound;                        ///< must be greater than this (and finite)
  bool in_data_units = false;                     ///< changes with the unit of the data
  std::string (*broken)(double value) = nullptr;  ///< any further rule: what is broken, or empty
};

template <class L>
concept LossWithParameters = requires {
  L::parameters();
};

template <class L>
concept LossWithInstanceInfo = requires(const L& loss) {
  { loss.instance_info() } -> std::convertible_to<LossInfo>;
};

template <class L>
concept LossWithInfo = LossWithInstanceInfo<L> || requires {
  { L::info } -> std::convertible_to<LossInfo>;
};

template <class L>
concept LossWithDerivative = requires(const L& loss, double x, double m) {
  { loss.deriv(x, m) } -> std::convertible_to<double>;
};

/// The derivative can be had from the value.
template <class L>
concept LossWithDualValue = requires(const L& loss, Dual x, Dual m) {
  { loss.value(x, m) } -> std::convertible_to<Dual>;
};

/// `value` and `deriv` take Lanes as well.
template <class L>
concept LossInLanes = requires {
  requires L::in_lanes;
};

template <class L>
concept LossMath = LossWithInfo<L> &&
    (LossWithDerivative<L> || LossWithDualValue<L>)&&requires(const L& loss, double x, double m) {
  { loss.value(x, m) } -> std::convertible_to<double>;
};

/// The facts of this loss with these parameters.
template <LossWithInfo L>
LossInfo info_of(const L& loss) {
  if constexpr (LossWithInstanceInfo<L>) {
    return loss.instance_info();
  } else {
    return L::info;
  }
}

/// The choice between two numbers without a branch; types with several lanes bring their own.
template <class T>
constexpr T select(bool condition, T yes, T no) {
  return condition ? yes : no;
}

}  // namespace polyad
