#pragma once
// Losses: what is minimised, f(x, m) summed over the observed cells. By name:
//
//   Loss loss = parse_loss("huber:delta=0.5");
//
// Or your own. The value alone is enough: called with dual numbers it also gives the exact derivative, so write it for any number
// type and let `log` and the others be found by their arguments:
//
//   auto l1 = user_loss("smooth-l1", [](auto x, auto m) { using std::sqrt; return sqrt((m - x) * (m - x) + 0.01); });
//
// Value and derivative (df/dm) may be plain functions of doubles:
//
//   auto kl = user_loss("my-poisson", [](double x, double m) { return m - x * std::log(m + 1e-10); },
//                       [](double x, double m) { return 1 - x / (m + 1e-10); },
//                       {.lower = 0, .domain = Domain::nonnegative});
//
// A struct with `info`, `value` and perhaps `deriv` becomes a Loss through Loss::of and may have parameters (LossMath below). All
// of these run in block loops of their own, as fast as the built-in ones. Functions must be callable from several threads at once
// and stay finite at the lower bound (add loss_epsilon to m in logarithms and divisions).

#include <polyad/detail/dual.hpp>
#include <polyad/detail/lanes.hpp>

#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace polyad {

/// Which data values a loss can take.
enum class Domain { real, nonnegative, positive, binary, count, positive_count };

/// "whole numbers 0, 1, 2, ...", for messages.
std::string_view describe(Domain domain);
/// Whether x is one of these values; NaN and infinities never are.
bool contains(Domain domain, double x);

/// Whether the sum over all cells of f(0, m) has a closed form in the factors, which makes zeros exact and free.
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
/// (loss/likelihood.hpp). Losses without one give expected values, but no intervals and no tail probabilities.
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

/// Facts about a loss. The texts of a built-in loss live for ever, those of your own loss as long as the Loss or a copy of it.
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
  /// f is convex in m for every x of the domain: a row of a factor, all else fixed, then has one minimum.
  bool convex = false;
};

// --- mathematics ----------------------------------------------------------------------------------------------------------------
//
// A loss holds mathematics only: `info`, `value` and `deriv`, both templates over the number type, in the numerically stable form.
//
//   struct Poisson {
//     static constexpr LossInfo info = {...};
//     template <class T> T value(T x, T m) const { ... }
//     template <class T> T deriv(T x, T m) const { ... }   // with respect to m; may be left out
//   };
//
// A loss with parameters has them as members and lists them in `parameters()`. Where a fact depends on a parameter (the domain of
// beta-divergence does), `LossInfo instance_info() const` gives the facts of this one; it wins over `info`.
//
// The number type T is double, Dual, or Lanes (several numbers at once): write `using std::log; log(m)`, not `std::log(m)`, and
// `select(condition, yes, no)` instead of a branch on x or m. A loss written so says `static constexpr bool in_lanes = true` and
// then runs on whole vectors; without it, one entry at a time. Losses with lower bound 0 are evaluated at m >= 0 only.

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

/// A loss that is known only at run time (a formula, a function of another language) works on whole blocks by itself:
/// out[t] of x[t] and m[t], where `out` may be `x` or `m`. It may have a `spec()`, which is how it is written.
template <class L>
concept LossInBlocks = LossWithInfo<L> && requires(const L& loss, std::size_t n, const double* numbers, double* out) {
  loss.values(n, numbers, numbers, out);
  loss.derivatives(n, numbers, numbers, out);
};

template <class L>
concept LossByEntry = LossWithInfo<L> &&
    (LossWithDerivative<L> || LossWithDualValue<L>)&&requires(const L& loss, double x, double m) {
  { loss.value(x, m) } -> std::convertible_to<double>;
};

template <class L>
concept LossMath = LossByEntry<L> || LossInBlocks<L>;

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

// --- losses at run time ---------------------------------------------------------------------------------------------------------

namespace detail {
/// Instruction sets that there are functions for, in the order of SimdTarget.
inline constexpr std::size_t instruction_sets = 5, in_portable = 0, in_sse4 = 2, in_avx2 = 3, in_avx512 = 4;
}  // namespace detail

/// A loss chosen at run time: its facts, its parameters, and functions that work on whole blocks of entries, so that the choice
/// costs one indirect call per block and none per entry.
///
///   values:      out[t] = f(x[t], m[t])
///   derivatives: out[t] = df/dm(x[t], m[t])
///   curvatures:  out[t] = d2f/dm2(x[t], m[t])
///
/// In double or single precision, curvatures in double alone. `out` may be `x` or `m` itself. A Loss is a value: copies share the mathematics, and any
/// number of threads may use one.
class Loss {
 public:
  const LossInfo& info() const { return info_; }
  std::string_view name() const { return info_.name; }
  /// Name with parameters, as it would be written to get this loss again: "huber:delta=0.5".
  const std::string& spec() const { return spec_; }
  const std::vector<std::pair<std::string, double>>& parameters() const { return parameters_; }
  /// What each parameter means, in the order of parameters().
  const std::vector<std::string>& parameter_help() const { return parameter_help_; }

  void values(std::size_t n, const double* x, const double* m, double* out) const;
  void values(std::size_t n, const float* x, const float* m, float* out) const;
  void derivatives(std::size_t n, const double* x, const double* m, double* out) const;
  void derivatives(std::size_t n, const float* x, const float* m, float* out) const;
  /// The derivative of `deriv` by dual numbers; where that takes doubles only, or is itself made by dual numbers, by
  /// differences of it (six digits, enough for the steps of a Newton method). One entry at a time.
  void curvatures(std::size_t n, const double* x, const double* m, double* out) const;
  /// The same loss of data in another unit: f(x / unit, m), with parameters that are sizes of data divided too. For a power
  /// of two no bit is lost, and the epsilon inside logarithms becomes a share of the unit.
  Loss in_units_of(double unit) const;
  /// What x is multiplied by before it is compared with m: 1, but for a loss in other units.
  double data_scale() const { return data_scale_; }

  double value(double x, double m) const;
  double derivative(double x, double m) const;

  /// Makes a Loss of any type that satisfies LossMath, as the built-in ones do. Without `deriv` the derivative comes from `value`
  /// with dual numbers. A usage error where a parameter breaks its rule.
  template <LossMath L>
  static Loss of(L math);

 private:
  template <class T>
  struct Functions {
    using Block = void (*)(const void* loss, std::size_t n, const T* x, const T* m, T* out);
    Block values = nullptr;
    Block derivatives = nullptr;
  };
  /// One entry per instruction set (detail/loss_blocks.hpp).
  struct Table {
    std::array<Functions<double>, detail::instruction_sets> in_double;
    std::array<Functions<float>, detail::instruction_sets> in_single;
    Functions<double>::Block curvatures = nullptr;
  };
  template <class L>
  static constexpr Table make_table();

  /// Those of the instruction set in use.
  template <class T>
  const Functions<T>& functions() const;

  template <class T>
  void run(typename Functions<T>::Block function, std::size_t n, const T* x, const T* m, T* out) const;

  Loss() = default;

  LossInfo info_;
  std::string spec_;
  std::vector<std::pair<std::string, double>> parameters_;
  std::vector<std::string> parameter_help_;
  std::shared_ptr<const void> math_;  ///< also keeps the texts of info_ alive where they are the user's
  const Table* table_ = nullptr;
  double data_scale_ = 1;                                                ///< 1 / unit
  Loss (*with_sizes_divided_)(const void* math, double unit) = nullptr;  ///< null: no parameter is a size of data
};

/// The built-in losses with default parameters, in the order in which they are listed for people.
std::span<const Loss> all_losses();

/// Reads "poisson" or "huber:delta=0.5" (several parameters: "name:a=1,b=2"; those left out have their defaults; blanks do not
/// matter). parse_loss(l.spec()) is l again. A usage error names the nearest known loss or parameter, and those there are.
Loss parse_loss(std::string_view spec);

// --- your own -------------------------------------------------------------------------------------------------------------------

/// The facts of your own loss; all may be left out. The texts are for help and reports.
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

/// A loss from its value; the derivative comes from dual numbers.
template <LossFunction Value>
Loss user_loss(std::string name, Value value, UserLossInfo info = {});

/// A loss from its value and its derivative with respect to m.
template <LossFunction Value, LossFunction Derivative>
Loss user_loss(std::string name, Value value, Derivative derivative, UserLossInfo info = {});

}  // namespace polyad

#include <polyad/detail/loss_blocks.hpp>
