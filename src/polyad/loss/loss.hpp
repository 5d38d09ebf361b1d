#pragma once
// What a loss is. A loss header holds mathematics only: `info`, `value` and `deriv`, both templates over the number
// type, in the numerically stable form. Everything else (block loops, look-up by name, help, docs, tests) is made from
// the list in all.hpp.
//
//   struct Poisson {
//     static constexpr LossInfo info = {...};
//     template <class T> T value(T x, T m) const { ... }
//     template <class T> T deriv(T x, T m) const { ... }   // with respect to m; may be left out: see user.hpp
//   };
//
// A loss with parameters has them as members and lists them in `parameters`.

#include <polyad/base/error.hpp>

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
bool contains(Domain domain, double x);

/// Whether the sum over all cells of f(0, m) has a closed form in the factors (it makes zeros exact and free).
enum class ZeroSum {
  none,
  linear,     ///< f(0,m) = m:   sum_j prod_k (column sums)
  quadratic,  ///< f(0,m) = m^2: sum over the elementwise product of Gram matrices
};

inline constexpr double no_bound = -std::numeric_limits<double>::infinity();

/// Added to m inside logarithms and divisions, so that f stays finite at the bound m = 0.
inline constexpr double loss_epsilon = 1e-10;

struct LossInfo {
  std::string_view name;
  std::string_view formula;      ///< f(x, m), for people
  std::string_view data;         ///< what data it is for: "counts", "yes/no (0 and 1)"
  std::string_view link;         ///< what m means: "m is the expected count"
  double lower = no_bound;       ///< default lower bound of the factors
  Domain domain = Domain::real;  ///< allowed data values
  ZeroSum zero_sum = ZeroSum::none;
};

/// A named number within a loss, such as huber's delta.
template <class L>
struct LossParameter {
  std::string_view name;
  double L::*member;
  std::string_view help;
  double above;                                              ///< must be greater than this
  std::string (*broken)(double value) = nullptr;             ///< any further rule: what is broken, or empty
};

template <class L>
concept LossWithParameters = requires { L::parameters(); };

template <class L>
concept LossWithDerivative = requires(const L& loss, double x, double m) {
  { loss.deriv(x, m) } -> std::convertible_to<double>;
};

template <class L>
concept LossMath = requires(const L& loss, double x, double m) {
  { L::info } -> std::convertible_to<LossInfo>;
  { loss.value(x, m) } -> std::convertible_to<double>;
};

}  // namespace polyad
