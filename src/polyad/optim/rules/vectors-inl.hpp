// What the update rules (rules.hpp) are written with: vectors of parameters and moments. Read once per instruction set, like
// every file of this folder.

#if defined(POLYAD_RULE_VECTORS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef POLYAD_RULE_VECTORS_INL
#undef POLYAD_RULE_VECTORS_INL
#else
#define POLYAD_RULE_VECTORS_INL
#endif

#include <hwy/highway.h>

#include <polyad/optim/rules.hpp>

#include <array>
#include <cmath>
#include <string_view>

HWY_BEFORE_NAMESPACE();
namespace polyad::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class D>
hn::Vec<D> constant(D d, double c) {
  return hn::Set(d, static_cast<hn::TFromD<D>>(c));
}

// 1 / sqrt(v) for v > 0, to a few units in the last place: a root and a division would cost as much as the rest of the
// step. An estimate y from the bits of v, relative error 3.5e-2, then y (1 + e/2 + 3/8 e^2 + 5/16 e^3) with
// e = 1 - v y^2, which raises the error to its fourth power: twice.
template <class D>
HWY_INLINE hn::Vec<D> inverse_root(D d, hn::Vec<D> v) {
  using T = hn::TFromD<D>;
  const hn::RebindToUnsigned<D> du;
  using U = hn::TFromD<decltype(du)>;
  constexpr U magic = sizeof(T) == 8 ? static_cast<U>(0x5fe6eb50c7b537a9u) : static_cast<U>(0x5f375a86u);
  const auto bits = hn::Sub(hn::Set(du, magic), hn::ShiftRight<1>(hn::BitCast(du, v)));
  auto y = hn::BitCast(d, bits);
  for (int pass = 0; pass < 2; ++pass) {
    const auto e = hn::NegMulAdd(hn::Mul(v, y), y, constant(d, 1));
    auto series = hn::MulAdd(e, constant(d, 5.0 / 16), constant(d, 3.0 / 8));
    series = hn::MulAdd(e, series, constant(d, 0.5));
    y = hn::MulAdd(hn::Mul(y, e), series, y);
  }
  return y;
}

// The larger or smaller of v and a bound; a NaN in v stays one. (x86 gives the second operand where one is NaN.)
template <class V>
HWY_INLINE V at_least(V bound, V v) {
  return HWY_ARCH_X86 && HWY_TARGET != HWY_STATIC_TARGET ? hn::Max(bound, v)
                                                         : hn::IfThenElse(hn::Lt(v, bound), bound, v);
}
template <class V>
HWY_INLINE V at_most(V bound, V v) {
  return HWY_ARCH_X86 && HWY_TARGET != HWY_STATIC_TARGET ? hn::Min(bound, v)
                                                         : hn::IfThenElse(hn::Gt(v, bound), bound, v);
}

template <class D>
struct Vectors {
  hn::Vec<D> gradient;
  hn::Vec<D> first;
  hn::Vec<D> second;
  hn::Vec<D> peak;
};

}  // namespace
}  // namespace polyad::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
