// The functions of lanes.hpp, from Highway's mathematics library. That leaves some arguments undefined; here they give
// what <cmath> gives, because a fit learns from an infinity or NaN that an epoch went wrong.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "polyad/base/lanes_simd.cpp"
#include <polyad/base/simd_file.hpp>
// Highway reads this file again for each target.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>
#include <polyad/base/math.hpp>
#include <polyad/detail/lanes.hpp>

#include <limits>

HWY_BEFORE_NAMESPACE();
namespace polyad::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class D>
hn::Vec<D> constant(D d, double c) {
  return hn::Set(d, static_cast<hn::TFromD<D>>(c));
}

// Highway's exponential is good up to here; beyond, the argument is shifted.
template <class T>
constexpr double exp_limit = sizeof(T) == 8 ? 700.0 : 80.0;
constexpr double exp_shift = 16;
constexpr double e_to_shift = 8886110.520507872;  // e^16

struct LogOp {
  template <class D, class V>
  static V apply(D d, V x) {
    using T = hn::TFromD<D>;
    const V infinity = constant(d, std::numeric_limits<T>::infinity());
    const auto ordinary = hn::And(hn::Gt(x, hn::Zero(d)), hn::Lt(x, infinity));
    V special = constant(d, std::numeric_limits<T>::quiet_NaN());
    special = hn::IfThenElse(hn::Eq(x, infinity), infinity, special);
    special = hn::IfThenElse(hn::Eq(x, hn::Zero(d)), hn::Neg(infinity), special);
    return hn::IfThenElse(ordinary, hn::Log(d, x), special);
  }
};

struct Log1pOp {
  template <class D, class V>
  static V apply(D d, V x) {
    const auto ordinary = hn::Lt(x, constant(d, std::numeric_limits<hn::TFromD<D>>::infinity()));
    return hn::IfThenElse(ordinary, hn::Log1p(d, x), x);  // infinity and NaN are their own
  }
};

struct ExpOp {
  template <class D, class V>
  static V apply(D d, V x) {
    using T = hn::TFromD<D>;
    const V limit = constant(d, exp_limit<T>);
    const auto large = hn::Gt(x, limit);
    const V shifted = hn::Min(hn::Sub(x, constant(d, exp_shift)), limit);
    const V e = hn::Exp(d, hn::IfThenElse(large, shifted, x));
    const V grown = hn::IfThenElse(large, hn::Mul(e, constant(d, e_to_shift)), e);
    return hn::IfThenElse(hn::IsNaN(x), x, grown);
  }
};

struct Expm1Op {
  template <class D, class V>
  static V apply(D d, V x) {
    using T = hn::TFromD<D>;
    const auto large = hn::Gt(x, constant(d, exp_limit<T>));
    const V small = hn::Expm1(d, hn::IfThenElse(large, hn::Zero(d), x));
    return hn::IfThenElse(hn::IsNaN(x), x, hn::IfThenElse(large, ExpOp::apply(d, x), small));
  }
};

struct SinOp {
  template <class D, class V>
  static V apply(D d, V x) {
    return hn::Sin(d, x);
  }
};

struct CosOp {
  template <class D, class V>
  static V apply(D d, V x) {
    return hn::Cos(d, x);
  }
};

struct SqrtOp {
  template <class D, class V>
  static V apply(D, V x) {
    return hn::Sqrt(x);
  }
};

// As many vectors as a Lanes has; of a target with single numbers only, those of 16 bytes.
template <class Op, class T>
void on_vectors(const T* x, T* out) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t lanes = HWY_TARGET == HWY_SCALAR ? 1 : HWY_MAX_BYTES / sizeof(T);
  constexpr std::size_t count = lane_vectors * (lanes == 1 ? 16 / sizeof(T) : lanes);
#pragma GCC unroll 4
  for (std::size_t i = 0; i < count; i += lanes) hn::Store(Op::apply(d, hn::Load(d, x + i)), d, out + i);
}

template <class Op, class T>
T on_one(T x) {
  const hn::ScalableTag<T> d;
  return hn::GetLane(Op::apply(d, hn::Set(d, x)));
}

}  // namespace

template <class T>
struct Math {
  static void log(const T* x, T* out) { on_vectors<LogOp>(x, out); }
  static void log1p(const T* x, T* out) { on_vectors<Log1pOp>(x, out); }
  static void exp(const T* x, T* out) { on_vectors<ExpOp>(x, out); }
  static void expm1(const T* x, T* out) { on_vectors<Expm1Op>(x, out); }
  static void sqrt(const T* x, T* out) { on_vectors<SqrtOp>(x, out); }

  static T sin_of(T x) { return on_one<SinOp>(x); }
  static T cos_of(T x) { return on_one<CosOp>(x); }
  static T log_of(T x) { return on_one<LogOp>(x); }
  static T log1p_of(T x) { return on_one<Log1pOp>(x); }
  static T exp_of(T x) { return on_one<ExpOp>(x); }
  static T expm1_of(T x) { return on_one<Expm1Op>(x); }
};
template struct Math<double>;
template struct Math<float>;

}  // namespace polyad::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace polyad {

namespace {

// The code that every CPU runs.
template <class T>
using PlainMath = HWY_STATIC_DISPATCH(Math<T>);

// One size of vector, one instruction set. (Elsewhere than on x86 there is one set, of 16 bytes.)
template <class T, std::size_t Bytes>
struct MathOf;
#if HWY_ARCH_X86
template <class T>
struct MathOf<T, 64> : N_AVX3::Math<T> {};
template <class T>
struct MathOf<T, 32> : N_AVX2::Math<T> {};
template <class T>
struct MathOf<T, 16> : N_SSE4::Math<T> {};
#else
template <class T>
struct MathOf<T, 16> : PlainMath<T> {};
#endif

// Vectors of 16 bytes serve two targets.
template <std::size_t Bytes>
bool plain() {
  return Bytes == 16 && simd_target() == SimdTarget::portable;
}

}  // namespace

template <class T, std::size_t Bytes>
void LaneMath<T, Bytes>::log(const T* x, T* out) {
  plain<Bytes>() ? PlainMath<T>::log(x, out) : MathOf<T, Bytes>::log(x, out);
}
template <class T, std::size_t Bytes>
void LaneMath<T, Bytes>::log1p(const T* x, T* out) {
  plain<Bytes>() ? PlainMath<T>::log1p(x, out) : MathOf<T, Bytes>::log1p(x, out);
}
template <class T, std::size_t Bytes>
void LaneMath<T, Bytes>::exp(const T* x, T* out) {
  plain<Bytes>() ? PlainMath<T>::exp(x, out) : MathOf<T, Bytes>::exp(x, out);
}
template <class T, std::size_t Bytes>
void LaneMath<T, Bytes>::expm1(const T* x, T* out) {
  plain<Bytes>() ? PlainMath<T>::expm1(x, out) : MathOf<T, Bytes>::expm1(x, out);
}
template <class T, std::size_t Bytes>
void LaneMath<T, Bytes>::sqrt(const T* x, T* out) {
  plain<Bytes>() ? PlainMath<T>::sqrt(x, out) : MathOf<T, Bytes>::sqrt(x, out);
}

template struct LaneMath<double, 16>;
template struct LaneMath<float, 16>;
#if HWY_ARCH_X86
template struct LaneMath<double, 32>;
template struct LaneMath<float, 32>;
template struct LaneMath<double, 64>;
template struct LaneMath<float, 64>;
#endif

namespace math::portable {

double log(double x) {
  return PlainMath<double>::log_of(x);
}
double log1p(double x) {
  return PlainMath<double>::log1p_of(x);
}
double exp(double x) {
  return PlainMath<double>::exp_of(x);
}
double expm1(double x) {
  return PlainMath<double>::expm1_of(x);
}
double sin(double x) {
  return PlainMath<double>::sin_of(x);
}
double cos(double x) {
  return PlainMath<double>::cos_of(x);
}
double pow(double a, double p) {
  if (p == 0 || a == 1) return 1;
  return a == 0 ? 0.0 : exp(p * log(a));
}

}  // namespace math::portable

}  // namespace polyad
#endif  // HWY_ONCE
