#pragma once
// Several numbers at once: a number type that the mathematics of a loss is written for without knowing it. Arithmetic
// works lane by lane; a comparison gives a mask, and `select` chooses by it.
//
// Built on the compiler's generic vectors, not on intrinsics: an ordinary template (a loss's `value`) may then be inlined
// into code of any instruction set, and becomes instructions of that set there. Several vectors make one Lanes, because a
// single one would wait for its own results: a logarithm is a long chain. The copy constructor is written out so that a
// Lanes always passes by reference, whatever vector registers caller and callee know of.

#include <cstddef>

namespace polyad {

/// Vectors in a Lanes.
inline constexpr std::size_t lane_vectors = 4;

template <class T, std::size_t N>
struct Lanes;

/// The outcome of a comparison, lane by lane.
template <class T, std::size_t N>
struct LaneMask {
  using Bits = decltype(typename Lanes<T, N>::Vector{} < typename Lanes<T, N>::Vector{});
  Bits bits[lane_vectors];
  LaneMask() = default;
  LaneMask(const LaneMask& o) {  // NOLINT(modernize-use-equals-default): see above
    for (std::size_t i = 0; i < lane_vectors; ++i) bits[i] = o.bits[i];
  }
  LaneMask& operator=(const LaneMask&) = delete;
};

/// N numbers per vector.
template <class T, std::size_t N>
struct Lanes {
  static constexpr std::size_t vector_bytes = N * sizeof(T);
  static constexpr std::size_t size = lane_vectors * N;
  using Vector [[gnu::vector_size(N * sizeof(T))]] = T;

  Vector v[lane_vectors];

  Lanes() = default;
  Lanes(double s) {  // NOLINT(google-explicit-constructor): constants mix with lanes
    for (Vector& vector : v) vector = Vector{} + static_cast<T>(s);
  }
  Lanes(const Lanes& o) {  // NOLINT(modernize-use-equals-default): see above
    for (std::size_t i = 0; i < lane_vectors; ++i) v[i] = o.v[i];
  }
  Lanes& operator=(const Lanes& o) {  // NOLINT(modernize-use-equals-default)
    for (std::size_t i = 0; i < lane_vectors; ++i) v[i] = o.v[i];
    return *this;
  }

  friend Lanes operator+(const Lanes& a, const Lanes& b) {
    Lanes r;
    for (std::size_t i = 0; i < lane_vectors; ++i) r.v[i] = a.v[i] + b.v[i];
    return r;
  }
  friend Lanes operator-(const Lanes& a, const Lanes& b) {
    Lanes r;
    for (std::size_t i = 0; i < lane_vectors; ++i) r.v[i] = a.v[i] - b.v[i];
    return r;
  }
  friend Lanes operator*(const Lanes& a, const Lanes& b) {
    Lanes r;
    for (std::size_t i = 0; i < lane_vectors; ++i) r.v[i] = a.v[i] * b.v[i];
    return r;
  }
  friend Lanes operator/(const Lanes& a, const Lanes& b) {
    Lanes r;
    for (std::size_t i = 0; i < lane_vectors; ++i) r.v[i] = a.v[i] / b.v[i];
    return r;
  }
  friend Lanes operator-(const Lanes& a) {
    Lanes r;
    for (std::size_t i = 0; i < lane_vectors; ++i) r.v[i] = -a.v[i];
    return r;
  }
  friend LaneMask<T, N> operator<(const Lanes& a, const Lanes& b) {
    LaneMask<T, N> r;
    for (std::size_t i = 0; i < lane_vectors; ++i) r.bits[i] = a.v[i] < b.v[i];
    return r;
  }
  friend LaneMask<T, N> operator>(const Lanes& a, const Lanes& b) {
    LaneMask<T, N> r;
    for (std::size_t i = 0; i < lane_vectors; ++i) r.bits[i] = a.v[i] > b.v[i];
    return r;
  }
  friend Lanes select(const LaneMask<T, N>& mask, const Lanes& yes, const Lanes& no) {
    Lanes r;
    for (std::size_t i = 0; i < lane_vectors; ++i) r.v[i] = mask.bits[i] ? yes.v[i] : no.v[i];
    return r;
  }
};

/// The functions, of `lane_vectors` vectors of 16, 32 or 64 bytes: those of the instruction set that has such vectors
/// (Highway's, within a few units in the last place; infinities, NaN and zero as in <cmath>). Call them only on a CPU that
/// has it.
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
  return detail::apply(&LaneMath<T, Lanes<T, N>::vector_bytes>::log, a);
}
template <class T, std::size_t N>
Lanes<T, N> log1p(const Lanes<T, N>& a) {
  return detail::apply(&LaneMath<T, Lanes<T, N>::vector_bytes>::log1p, a);
}
template <class T, std::size_t N>
Lanes<T, N> exp(const Lanes<T, N>& a) {
  return detail::apply(&LaneMath<T, Lanes<T, N>::vector_bytes>::exp, a);
}
template <class T, std::size_t N>
Lanes<T, N> expm1(const Lanes<T, N>& a) {
  return detail::apply(&LaneMath<T, Lanes<T, N>::vector_bytes>::expm1, a);
}
template <class T, std::size_t N>
Lanes<T, N> sqrt(const Lanes<T, N>& a) {
  return detail::apply(&LaneMath<T, Lanes<T, N>::vector_bytes>::sqrt, a);
}
/// For a > 0.
template <class T, std::size_t N>
Lanes<T, N> pow(const Lanes<T, N>& a, double exponent) {
  return exp(exponent * log(a));
}

}  // namespace polyad
