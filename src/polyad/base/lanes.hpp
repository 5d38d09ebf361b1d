#pragma once
// Several numbers at once: a number type that the mathematics of a loss is written for without knowing it. Arithmetic
// works lane by lane; a comparison gives a mask, and `select` chooses by it.
//
// Built on the compiler's generic vectors, not on intrinsics: an ordinary template (a loss's `value`) may then be inlined
// into code of any instruction set, and becomes instructions of that set there. The copy constructor is written out
// so that a Lanes always passes by reference, whatever vector registers caller and callee know of.

#include <cstddef>

namespace polyad {

template <class T, std::size_t N>
struct Lanes;

/// The outcome of a comparison, lane by lane.
template <class T, std::size_t N>
struct LaneMask {
  using Bits = decltype(typename Lanes<T, N>::Vector{} < typename Lanes<T, N>::Vector{});
  Bits bits;
  explicit LaneMask(const Bits& b) : bits(b) {}
  LaneMask(const LaneMask& o) : bits(o.bits) {}  // NOLINT(modernize-use-equals-default): see above
  LaneMask& operator=(const LaneMask&) = delete;
};

template <class T, std::size_t N>
struct Lanes {
  static constexpr std::size_t bytes = N * sizeof(T);
  using Vector [[gnu::vector_size(N * sizeof(T))]] = T;

  Vector v;

  Lanes() : v{} {}
  Lanes(double s) : v(Vector{} + static_cast<T>(s)) {}  // NOLINT(google-explicit-constructor): constants mix with lanes
  Lanes(const Lanes& o) : v(o.v) {}                     // NOLINT(modernize-use-equals-default): see above
  Lanes& operator=(const Lanes& o) {                    // NOLINT(modernize-use-equals-default)
    v = o.v;
    return *this;
  }
  static Lanes of(const Vector& v) {
    Lanes l;
    l.v = v;
    return l;
  }
  /// `p` is aligned to the vector's size.
  static Lanes load(const T* p) { return of(*reinterpret_cast<const Vector*>(p)); }
  void store(T* p) const { *reinterpret_cast<Vector*>(p) = v; }

  friend Lanes operator+(const Lanes& a, const Lanes& b) { return of(a.v + b.v); }
  friend Lanes operator-(const Lanes& a, const Lanes& b) { return of(a.v - b.v); }
  friend Lanes operator*(const Lanes& a, const Lanes& b) { return of(a.v * b.v); }
  friend Lanes operator/(const Lanes& a, const Lanes& b) { return of(a.v / b.v); }
  friend Lanes operator-(const Lanes& a) { return of(-a.v); }
  friend LaneMask<T, N> operator<(const Lanes& a, const Lanes& b) { return LaneMask<T, N>(a.v < b.v); }
  friend LaneMask<T, N> operator>(const Lanes& a, const Lanes& b) { return LaneMask<T, N>(a.v > b.v); }
  friend Lanes select(const LaneMask<T, N>& mask, const Lanes& yes, const Lanes& no) {
    return of(mask.bits ? yes.v : no.v);
  }
};

/// The functions, for vectors of 16, 32 and 64 bytes: those of the instruction set that has such vectors (Highway's, within
/// a few units in the last place; infinities, NaN and zero as in <cmath>). Call them only on a CPU that has it.
template <class T, std::size_t Bytes>
struct LaneMath {
  static void log(const T* x, T* out);
  static void log1p(const T* x, T* out);  ///< x >= 0
  static void exp(const T* x, T* out);
  static void expm1(const T* x, T* out);
  static void sqrt(const T* x, T* out);
};

namespace detail {
template <class T, std::size_t N>
Lanes<T, N> apply(void (*function)(const T*, T*), const Lanes<T, N>& a) {
  Lanes<T, N> result;
  function(reinterpret_cast<const T*>(&a.v), reinterpret_cast<T*>(&result.v));
  return result;
}
}  // namespace detail

template <class T, std::size_t N>
Lanes<T, N> log(const Lanes<T, N>& a) {
  return detail::apply(&LaneMath<T, Lanes<T, N>::bytes>::log, a);
}
template <class T, std::size_t N>
Lanes<T, N> log1p(const Lanes<T, N>& a) {
  return detail::apply(&LaneMath<T, Lanes<T, N>::bytes>::log1p, a);
}
template <class T, std::size_t N>
Lanes<T, N> exp(const Lanes<T, N>& a) {
  return detail::apply(&LaneMath<T, Lanes<T, N>::bytes>::exp, a);
}
template <class T, std::size_t N>
Lanes<T, N> expm1(const Lanes<T, N>& a) {
  return detail::apply(&LaneMath<T, Lanes<T, N>::bytes>::expm1, a);
}
template <class T, std::size_t N>
Lanes<T, N> sqrt(const Lanes<T, N>& a) {
  return detail::apply(&LaneMath<T, Lanes<T, N>::bytes>::sqrt, a);
}
/// For a > 0.
template <class T, std::size_t N>
Lanes<T, N> pow(const Lanes<T, N>& a, double exponent) {
  return exp(exponent * log(a));
}

}  // namespace polyad
