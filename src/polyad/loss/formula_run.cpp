// The loop over instructions, for each instruction set. Lanes are several vectors of numbers, so that the choice of what to
// do costs little against doing it.

#include <polyad/base/math.hpp>
#include <polyad/base/simd_target.hpp>
#include <polyad/detail/lanes.hpp>
#include <polyad/loss/expression.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace polyad {

namespace {

// The functions below have the same bits on all x86-64 where the target is portable (base/math.hpp).

double power_of(double a, double b) {
  // What is special (0, infinite, not a number) is exact in every library.
  if (!math::is_portable() || a == 0 || !std::isfinite(a) || !std::isfinite(b)) return std::pow(a, b);
  if (a < 0 && b != std::floor(b)) return std::nan("");
  const double size = math::pow(std::abs(a), b);
  return a < 0 && std::fmod(b, 2) != 0 ? -size : size;
}
double abs_of(double a) {
  return std::abs(a);
}
double cos_of(double a) {
  return math::cos(a);
}
double sin_of(double a) {
  return math::sin(a);
}
double tanh_of(double a) {
  if (!math::is_portable()) return std::tanh(a);
  constexpr double one_from_here = 20;
  if (std::abs(a) >= one_from_here) return std::copysign(1.0, a);
  const double e = math::expm1(2 * std::abs(a));  // tanh a = (e^2a - 1) / (e^2a + 1)
  return std::copysign(e / (e + 2), a);
}
double log1p_of(double a) {
  return math::log1p(a);
}

template <class T>
struct LanesOf {
  static constexpr std::size_t size = 1;
  static double each(double a, double (*function)(double)) { return function(a); }
  static double power(double a, double b) { return power_of(a, b); }
};

template <std::size_t N>
struct LanesOf<Lanes<double, N>> {
  using L = Lanes<double, N>;
  static constexpr std::size_t size = L::size;
  static L each(const L& a, double (*function)(double)) {
    std::array<double, size> numbers;
    std::memcpy(numbers.data(), &a.v, sizeof numbers);
    for (double& number : numbers) number = function(number);
    L result;
    std::memcpy(&result.v, numbers.data(), sizeof numbers);
    return result;
  }
  static L power(const L& a, const L& b) {
    std::array<double, size> base;
    std::array<double, size> exponent;
    std::memcpy(base.data(), &a.v, sizeof base);
    std::memcpy(exponent.data(), &b.v, sizeof exponent);
    for (std::size_t i = 0; i < size; ++i) base[i] = power_of(base[i], exponent[i]);
    L result;
    std::memcpy(&result.v, base.data(), sizeof base);
    return result;
  }
};

template <class T>
[[gnu::always_inline]] inline void step(const std::vector<FormulaProgram::Instruction>& program, const T& x, const T& m,
                                        T* slots) {
  using std::exp;
  using std::expm1;
  using std::log;
  using std::sqrt;
  using Of = LanesOf<T>;
  T* out = slots;
  for (const auto& i : program) {
    const T& a = slots[i.a];
    const T& b = slots[i.b];
    switch (i.op) {
      case FormulaOp::constant:
        *out = T(i.value);
        break;
      case FormulaOp::x:
        *out = x;
        break;
      case FormulaOp::m:
        *out = m;
        break;
      case FormulaOp::add:
        *out = a + b;
        break;
      case FormulaOp::subtract:
        *out = a - b;
        break;
      case FormulaOp::multiply:
        *out = a * b;
        break;
      case FormulaOp::divide:
        *out = a / b;
        break;
      case FormulaOp::negate:
        *out = -a;
        break;
      case FormulaOp::less:
        *out = select(a < b, T(1), T(0));
        break;
      case FormulaOp::equal:
        *out = select(a < b, T(0), select(b < a, T(0), T(1)));
        break;
      case FormulaOp::select:
        *out = select(T(0) < a, b, select(a < T(0), b, slots[i.c]));
        break;
      case FormulaOp::abs:
        *out = Of::each(a, abs_of);
        break;
      case FormulaOp::cos:
        *out = Of::each(a, cos_of);
        break;
      case FormulaOp::exp:
        *out = exp(a);
        break;
      case FormulaOp::expm1:
        *out = expm1(a);
        break;
      case FormulaOp::log:
        *out = log(a);
        break;
      case FormulaOp::log1p:
        *out = Of::each(a, log1p_of);
        break;
      case FormulaOp::pow:
        *out = Of::power(a, b);
        break;
      case FormulaOp::sin:
        *out = Of::each(a, sin_of);
        break;
      case FormulaOp::sqrt:
        *out = sqrt(a);
        break;
      case FormulaOp::tanh:
        *out = Of::each(a, tanh_of);
        break;
    }
    ++out;
  }
}

using Program = std::vector<FormulaProgram::Instruction>;

template <class T>
[[gnu::always_inline]] inline void run_as(const Program& program, std::size_t n, const double* x, const double* m,
                                          double* out) {
  constexpr std::size_t size = LanesOf<T>::size;
  std::array<T, FormulaProgram::most> slots;
  const T& result = slots[program.size() - 1];
  T at_x;
  T at_m;
  std::size_t t = 0;
  for (; t + size <= n; t += size) {
    std::memcpy(static_cast<void*>(&at_x), x + t, size * sizeof(double));
    std::memcpy(static_cast<void*>(&at_m), m + t, size * sizeof(double));
    step<T>(program, at_x, at_m, slots.data());
    std::memcpy(out + t, static_cast<const void*>(&result), size * sizeof(double));
  }
  if (t == n) return;
  // The rest, with its last entry repeated.
  std::array<double, size> rest_x;
  std::array<double, size> rest_m;
  for (std::size_t i = 0; i < size; ++i) {
    rest_x[i] = x[std::min(t + i, n - 1)];
    rest_m[i] = m[std::min(t + i, n - 1)];
  }
  std::memcpy(static_cast<void*>(&at_x), rest_x.data(), sizeof rest_x);
  std::memcpy(static_cast<void*>(&at_m), rest_m.data(), sizeof rest_m);
  step<T>(program, at_x, at_m, slots.data());
  std::memcpy(out + t, static_cast<const void*>(&result), (n - t) * sizeof(double));
}

void run_scalar(const Program& program, std::size_t n, const double* x, const double* m, double* out) {
  run_as<double>(program, n, x, m, out);
}
[[gnu::flatten]] void run16(const Program& program, std::size_t n, const double* x, const double* m, double* out) {
  run_as<Lanes<double, 2>>(program, n, x, m, out);
}
#if defined(__x86_64__)
[[gnu::flatten, gnu::target("avx2,fma")]] void run32(const Program& program, std::size_t n, const double* x,
                                                     const double* m, double* out) {
  run_as<Lanes<double, 4>>(program, n, x, m, out);
}
[[gnu::flatten, gnu::target("avx512f,avx512dq,avx512vl")]] void run64(const Program& program, std::size_t n,
                                                                      const double* x, const double* m, double* out) {
  run_as<Lanes<double, 8>>(program, n, x, m, out);
}
#endif

}  // namespace

void FormulaProgram::run(std::size_t n, const double* x, const double* m, double* out) const {
  switch (simd_target()) {
#if defined(__x86_64__)
    case SimdTarget::avx512:
      return run64(instructions_, n, x, m, out);
    case SimdTarget::avx2:
      return run32(instructions_, n, x, m, out);
#endif
    case SimdTarget::sse4:
    case SimdTarget::portable:
      return run16(instructions_, n, x, m, out);
    default:
      return run_scalar(instructions_, n, x, m, out);
  }
}

}  // namespace polyad
