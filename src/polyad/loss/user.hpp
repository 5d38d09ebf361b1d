#pragma once
// Losses of your own. The value alone is enough: called with dual numbers it also gives the exact derivative,
// so write it for any number type and let `log` and friends be found by their arguments:
//
//   auto l1 = user_loss("smooth-l1", [](auto x, auto m) { using std::sqrt; return sqrt((m - x) * (m - x) +
//   0.01); });
//
// Value and derivative (df/dm) may be plain functions of doubles:
//
//   auto kl = user_loss("my-poisson", [](double x, double m) { return m - x * std::log(m + 1e-10); },
//                       [](double x, double m) { return 1 - x / (m + 1e-10); },
//                       {.lower = 0, .domain = Domain::nonnegative});
//
// A struct with `info`, `value` and perhaps `deriv`, as in the built-in headers, becomes a Loss through
// Loss::of and may have parameters. All of these run in block loops of their own, as fast as the built-in
// ones. Functions must be callable from several threads at once and stay finite at the lower bound (add
// loss_epsilon to m in logarithms and divisions).

#include <polyad/loss/block.hpp>

#include <concepts>
#include <string>
#include <utility>

namespace polyad {

/// The facts of a user's loss; all may be left out. The texts are for help and reports.
struct UserLossInfo {
  std::string formula = {};
  std::string data = {};
  std::string link = {};
  double lower = no_bound;           ///< lower bound of the factors; give 0 where m must not be negative
  Domain domain = Domain::real;      ///< checked against the data before a fit
  ZeroSum zero_sum = ZeroSum::none;  ///< a claim about f(0, m); it is tried out
};

/// f(x, m) of doubles.
template <class F>
concept LossFunction = requires(const F& f, double x, double m) {
  { f(x, m) } -> std::convertible_to<double>;
};

/// f(x, m) of dual numbers too, so that its derivative is known.
template <class F>
concept DifferentiableLossFunction = LossFunction<F> &&(
    requires(const F& f, Dual x, Dual m) {
      { f(x, m) } -> std::convertible_to<Dual>;
    } ||
    requires(const F& f, double x, Dual m) {
      { f(x, m) } -> std::convertible_to<Dual>;
    });

namespace detail {

/// Owns the texts which the views of its LossInfo look at.
struct UserLossTexts {
  std::string name;
  UserLossInfo info;

  LossInfo instance_info() const {
    return {name, info.formula, info.data, info.link, info.lower, info.domain, info.zero_sum};
  }
};

template <class Value>
struct UserLossByValue : UserLossTexts {
  Value function;

  double value(double x, double m) const { return function(x, m); }
  double deriv(double x, double m) const {
    if constexpr (std::invocable<const Value&, Dual, Dual>) {
      return Dual(function(Dual(x), Dual(m, 1.0))).slope;
    } else {
      return Dual(function(x, Dual(m, 1.0))).slope;
    }
  }
};

template <class Value, class Derivative>
struct UserLossByBoth : UserLossTexts {
  Value function;
  Derivative derivative;

  double value(double x, double m) const { return function(x, m); }
  double deriv(double x, double m) const { return derivative(x, m); }
};

/// A usage error for a name that cannot be used, or a claim about f(0, m) that does not hold.
void check_user_loss(const Loss& loss);

}  // namespace detail

/// A loss from its value; the derivative comes from dual numbers.
template <LossFunction Value>
Loss user_loss(std::string name, Value value, UserLossInfo info = {}) {
  static_assert(DifferentiableLossFunction<Value>,
                "this loss has no derivative: let its value take any number type, as in [](auto x, auto m) { "
                "... } with "
                "`using std::log;`, or give the derivative as a third argument");
  Loss loss = Loss::of(detail::UserLossByValue<Value>{{std::move(name), std::move(info)}, std::move(value)});
  detail::check_user_loss(loss);
  return loss;
}

/// A loss from its value and its derivative with respect to m.
template <LossFunction Value, LossFunction Derivative>
Loss user_loss(std::string name, Value value, Derivative derivative, UserLossInfo info = {}) {
  Loss loss = Loss::of(detail::UserLossByBoth<Value, Derivative>{
      {std::move(name), std::move(info)}, std::move(value), std::move(derivative)});
  detail::check_user_loss(loss);
  return loss;
}

}  // namespace polyad
