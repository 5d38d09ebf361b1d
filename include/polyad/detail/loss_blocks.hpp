#pragma once
// The block loops of Loss, one instantiation per loss, precision and instruction set. The loops hold nothing but the loss's own
// arithmetic. Then the losses that user_loss makes.

#include <polyad/loss.hpp>

#include <algorithm>

namespace polyad {

namespace detail {

// Parameters in registers, not behind a pointer which `out` might alias.
template <class L>
using InLoop = std::conditional_t<std::is_trivially_copyable_v<L>, const L, const L&>;

template <LossByEntry L>
double derivative_at(const L& loss, double x, double m) {
  if constexpr (LossWithDerivative<L>) {
    return loss.deriv(x, m);
  } else {
    return Dual(loss.value(Dual(x), Dual(m, 1.0))).slope;
  }
}

/// Places to take differences of the derivative at. The distance is about the third root of the rounding error.
struct NearPlaces {
  double low, high;
  NearPlaces(double m, double lower) {
    const double h = 6e-6 * std::max(std::abs(m), 1e-3);
    low = lower == 0 ? std::max(0.0, m - h) : m - h;
    high = m + h;
  }
};

template <LossByEntry L>
double curvature_at(const L& loss, double x, double m) {
  if constexpr (requires {
                  { loss.deriv(Dual(x), Dual(m, 1.0)) } -> std::same_as<Dual>;
                }) {
    return loss.deriv(Dual(x), Dual(m, 1.0)).slope;
  } else {
    const NearPlaces at(m, info_of(loss).lower);
    return (derivative_at(loss, x, at.high) - derivative_at(loss, x, at.low)) / (at.high - at.low);
  }
}

struct ValueOf {
  template <class L, class T>
  static T apply(const L& loss, const T& x, const T& m) {
    return loss.value(x, m);
  }
  template <class L>
  static void block(const L& loss, std::size_t n, const double* x, const double* m, double* out) {
    loss.values(n, x, m, out);
  }
};

struct DerivativeOf {
  template <class L>
  static double apply(const L& loss, double x, double m) {
    return derivative_at(loss, x, m);
  }
  template <class L, class T, std::size_t N>
  static Lanes<T, N> apply(const L& loss, const Lanes<T, N>& x, const Lanes<T, N>& m) {
    return loss.deriv(x, m);
  }
  template <class L>
  static void block(const L& loss, std::size_t n, const double* x, const double* m, double* out) {
    loss.derivatives(n, x, m, out);
  }
};

struct CurvatureOf {
  template <class L>
  static double apply(const L& loss, double x, double m) {
    return curvature_at(loss, x, m);
  }
  template <class L>
  static void block(const L& loss, std::size_t n, const double* x, const double* m, double* out) {
    const double lower = info_of(loss).lower;
    std::array<double, 64> high;
    std::array<double, 64> low;
    for (std::size_t first = 0; first < n; first += high.size()) {
      const std::size_t count = std::min(high.size(), n - first);
      std::array<double, 64> distance;
      for (std::size_t t = 0; t < count; ++t) {
        const NearPlaces at(m[first + t], lower);
        high[t] = at.high;
        low[t] = at.low;
        distance[t] = at.high - at.low;
      }
      loss.derivatives(count, x + first, high.data(), high.data());
      loss.derivatives(count, x + first, low.data(), low.data());
      for (std::size_t t = 0; t < count; ++t) out[first + t] = (high[t] - low[t]) / distance[t];
    }
  }
};

// A block that the loss works on by itself, in double precision whatever T is.
template <class L, class Op, class T>
void own_block(const void* math, std::size_t n, const T* x, const T* m, T* out) {
  const L& loss = *static_cast<const L*>(math);
  if constexpr (sizeof(T) == sizeof(double)) {
    Op::block(loss, n, x, m, out);
  } else {
    std::array<double, 64> wide_x;
    std::array<double, 64> wide_m;
    for (std::size_t first = 0; first < n; first += wide_x.size()) {
      const std::size_t count = std::min(wide_x.size(), n - first);
      std::copy_n(x + first, count, wide_x.begin());
      std::copy_n(m + first, count, wide_m.begin());
      Op::block(loss, count, wide_x.data(), wide_m.data(), wide_m.data());
      std::transform(wide_m.begin(), wide_m.begin() + count, out + first, [](double v) { return static_cast<T>(v); });
    }
  }
}

// One entry at a time, in double precision whatever T is.
template <class L, class Op, class T>
void scalar_block(const void* math, std::size_t n, const T* x, const T* m, T* out) {
  InLoop<L> loss = *static_cast<const L*>(math);
  for (std::size_t t = 0; t < n; ++t) {
    out[t] = static_cast<T>(Op::apply(loss, static_cast<double>(x[t]), static_cast<double>(m[t])));
  }
}

template <class L, class Op, class T, std::size_t N>
[[gnu::always_inline]] inline void lanes_at(const L& loss, const T* x, const T* m, T* out) {
  Lanes<T, N> a;
  Lanes<T, N> b;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < lane_vectors; ++i) {
    __builtin_memcpy(&a.v[i], x + i * N, sizeof a.v[i]);
    __builtin_memcpy(&b.v[i], m + i * N, sizeof b.v[i]);
  }
  const Lanes<T, N> c = Op::apply(loss, a, b);
#pragma GCC unroll 4
  for (std::size_t i = 0; i < lane_vectors; ++i) __builtin_memcpy(out + i * N, &c.v[i], sizeof c.v[i]);
}

template <class L, class Op, class T, std::size_t Bytes>
[[gnu::always_inline]] inline void lanes_block(const void* math, std::size_t n, const T* x, const T* m, T* out) {
  constexpr std::size_t N = Bytes / sizeof(T);
  constexpr std::size_t step = Lanes<T, N>::size;
  const L loss = *static_cast<const L*>(math);
  std::size_t t = 0;
  for (; t + step <= n; t += step) lanes_at<L, Op, T, N>(loss, x + t, m + t, out + t);
  if (t == n) return;
  // The rest, with its last entry repeated to the end of the vectors.
  std::array<T, step> x_rest;
  std::array<T, step> m_rest;
  std::array<T, step> out_rest;
  for (std::size_t i = 0; i < step; ++i) {
    const std::size_t from = t + i < n ? t + i : n - 1;
    x_rest[i] = x[from];
    m_rest[i] = m[from];
  }
  lanes_at<L, Op, T, N>(loss, x_rest.data(), m_rest.data(), out_rest.data());
  for (std::size_t i = 0; t + i < n; ++i) out[t + i] = out_rest[i];
}

// The same loop as code of each instruction set: `flatten` takes the loss's own functions in.
template <class L, class Op, class T>
[[gnu::flatten]] void lanes16_block(const void* math, std::size_t n, const T* x, const T* m, T* out) {
  lanes_block<L, Op, T, 16>(math, n, x, m, out);
}
#if defined(__x86_64__)
template <class L, class Op, class T>
[[gnu::flatten, gnu::target("avx2,fma")]] void lanes32_block(const void* math, std::size_t n, const T* x, const T* m,
                                                             T* out) {
  lanes_block<L, Op, T, 32>(math, n, x, m, out);
}
template <class L, class Op, class T>
[[gnu::flatten, gnu::target("avx512f,avx512dq,avx512vl")]] void lanes64_block(const void* math, std::size_t n,
                                                                              const T* x, const T* m, T* out) {
  lanes_block<L, Op, T, 64>(math, n, x, m, out);
}
#endif

/// One function per instruction set; a loss that does not take Lanes has the same one for all.
template <class L, class Op, class T>
constexpr auto block_functions() {
  using Block = void (*)(const void*, std::size_t, const T*, const T*, T*);
  std::array<Block, instruction_sets> functions{};
  if constexpr (LossInBlocks<L>) {
    functions.fill(&own_block<L, Op, T>);
  } else {
    functions.fill(&scalar_block<L, Op, T>);
  }
  if constexpr (LossInLanes<L>) {
    functions[in_portable] = &lanes16_block<L, Op, T>;
    functions[in_sse4] = &lanes16_block<L, Op, T>;
#if defined(__x86_64__)
    functions[in_avx2] = &lanes32_block<L, Op, T>;
    functions[in_avx512] = &lanes64_block<L, Op, T>;
#endif
  }
  return functions;
}

/// Throws a usage error where a parameter breaks its rule.
void check_loss_parameter(std::string_view loss, std::string_view parameter, double value, double above,
                          std::string (*broken)(double));

/// "huber" and {delta: 0.5} -> "huber:delta=0.5"
std::string loss_spec(std::string_view name, const std::vector<std::pair<std::string, double>>& parameters);

}  // namespace detail

template <class L>
constexpr Loss::Table Loss::make_table() {
  constexpr auto values = detail::block_functions<L, detail::ValueOf, double>();
  constexpr auto derivatives = detail::block_functions<L, detail::DerivativeOf, double>();
  constexpr auto single_values = detail::block_functions<L, detail::ValueOf, float>();
  constexpr auto single_derivatives = detail::block_functions<L, detail::DerivativeOf, float>();
  Table table;
  for (std::size_t i = 0; i < values.size(); ++i) {
    table.in_double[i] = {values[i], derivatives[i]};
    table.in_single[i] = {single_values[i], single_derivatives[i]};
  }
  if constexpr (LossByEntry<L>) {
    table.curvatures = &detail::scalar_block<L, detail::CurvatureOf, double>;
  } else {
    table.curvatures = &detail::own_block<L, detail::CurvatureOf, double>;
  }
  return table;
}

template <LossMath L>
Loss Loss::of(L math) {
  auto stored = std::make_shared<const L>(std::move(math));
  Loss loss;
  loss.info_ = info_of(*stored);
  if constexpr (LossWithParameters<L>) {
    for (const auto& p : L::parameters()) {
      const double value = (*stored).*p.member;
      detail::check_loss_parameter(loss.info_.name, p.name, value, p.above, p.broken);
      loss.parameters_.emplace_back(p.name, value);
      loss.parameter_help_.emplace_back(p.help);
    }
    loss.with_sizes_divided_ = [](const void* math_of_loss, double unit) {
      L divided = *static_cast<const L*>(math_of_loss);
      for (const auto& p : L::parameters()) {
        if (p.in_data_units) divided.*p.member /= unit;
      }
      return Loss::of(divided);
    };
  }
  if constexpr (requires { stored->spec(); }) {
    loss.spec_ = stored->spec();
  } else {
    loss.spec_ = detail::loss_spec(loss.info_.name, loss.parameters_);
  }
  static constexpr Table table = make_table<L>();
  loss.table_ = &table;
  loss.math_ = std::move(stored);
  return loss;
}

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
Loss user_loss(std::string name, Value value, UserLossInfo info) {
  static_assert(
      DifferentiableLossFunction<Value>,
      "this loss has no derivative: let its value take any number type, as in [](auto x, auto m) { ... } with "
      "`using std::log;`, or give the derivative as a third argument");
  Loss loss = Loss::of(detail::UserLossByValue<Value>{{std::move(name), std::move(info)}, std::move(value)});
  detail::check_user_loss(loss);
  return loss;
}

/// A loss from its value and its derivative with respect to m.
template <LossFunction Value, LossFunction Derivative>
Loss user_loss(std::string name, Value value, Derivative derivative, UserLossInfo info) {
  Loss loss = Loss::of(detail::UserLossByBoth<Value, Derivative>{
      {std::move(name), std::move(info)}, std::move(value), std::move(derivative)});
  detail::check_user_loss(loss);
  return loss;
}

}  // namespace polyad
