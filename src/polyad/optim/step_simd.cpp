// The update rules as vector loops: one pass over parameters, gradient and moments, bounds included, because a step is
// bound by memory.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "polyad/optim/step_simd.cpp"
#include <polyad/base/simd_file.hpp>
// Highway reads this file again for each target.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <polyad/optim/step.hpp>

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

// A rule says which moments it keeps and turns a vector of gradients into a step, updating the moments.

struct SgdRule {
  static constexpr bool has_first = true, has_second = false, has_peak = false;
  template <class D>
  HWY_INLINE static hn::Vec<D> step(D d, const StepNumbers& n, Vectors<D>& v) {
    v.first = hn::MulAdd(constant(d, n.beta1), v.first, v.gradient);
    return hn::Mul(constant(d, n.rate / n.gradient_scale), v.first);
  }
};

struct AdaGradRule {
  static constexpr bool has_first = false, has_second = true, has_peak = false;
  template <class D>
  HWY_INLINE static hn::Vec<D> step(D d, const StepNumbers& n, Vectors<D>& v) {
    v.second = hn::MulAdd(v.gradient, v.gradient, v.second);
    const auto root = hn::Add(hn::Sqrt(v.second), constant(d, n.epsilon * n.gradient_scale));
    return hn::Div(hn::Mul(constant(d, n.rate), v.gradient), root);
  }
};

template <AdamForm form, bool keep_peak>
struct AdamRule {
  static constexpr bool has_first = true, has_second = true, has_peak = keep_peak;
  template <class D>
  HWY_INLINE static hn::Vec<D> step(D d, const StepNumbers& n, Vectors<D>& v) {
    v.first = hn::MulAdd(constant(d, n.beta1), v.first, hn::Mul(constant(d, 1 - n.beta1), v.gradient));
    const auto square = hn::Mul(v.gradient, v.gradient);
    v.second = hn::MulAdd(constant(d, n.beta2), v.second, hn::Mul(constant(d, 1 - n.beta2), square));
    if constexpr (keep_peak) v.peak = at_least(v.peak, v.second);
    const auto second = keep_peak ? v.peak : v.second;
    const auto rated = hn::Mul(constant(d, n.rate), v.first);
    const double scale = n.gradient_scale;
    if constexpr (form == AdamForm::paper) {
      const auto corrected = hn::MulAdd(second, constant(d, n.correction2), constant(d, n.epsilon * scale * scale));
      return hn::Mul(rated, inverse_root(d, corrected));
    } else {
      const auto root = hn::Sqrt(hn::Mul(second, constant(d, n.correction2)));
      return hn::Div(rated, hn::Add(root, constant(d, n.epsilon * scale)));
    }
  }
};

// In single precision a gradient this large squares to nearly the largest number there is.
constexpr double largest_single_gradient = 1e18;

template <class Rule, class D>
HWY_INLINE void step_at(D d, const StepNumbers& n, const StepArrays<hn::TFromD<D>>& a, std::size_t i,
                        const detail::StepBounds& bounds, bool clear) {
  Vectors<D> v{};
  v.gradient = hn::LoadU(d, a.gradient + i);
  if constexpr (sizeof(hn::TFromD<D>) == 4) {
    v.gradient = at_least(constant(d, -largest_single_gradient), v.gradient);
    v.gradient = at_most(constant(d, largest_single_gradient), v.gradient);
  }
  if constexpr (Rule::has_first) v.first = hn::LoadU(d, a.first + i);
  if constexpr (Rule::has_second) v.second = hn::LoadU(d, a.second + i);
  if constexpr (Rule::has_peak) v.peak = hn::LoadU(d, a.peak + i);
  auto moved = hn::Sub(hn::LoadU(d, a.parameters + i), Rule::step(d, n, v));
  moved = at_least(constant(d, bounds.lower), moved);
  moved = at_most(constant(d, bounds.upper), moved);
  hn::StoreU(moved, d, a.parameters + i);
  if constexpr (Rule::has_first) hn::StoreU(v.first, d, a.first + i);
  if constexpr (Rule::has_second) hn::StoreU(v.second, d, a.second + i);
  if constexpr (Rule::has_peak) hn::StoreU(v.peak, d, a.peak + i);
  if (clear) hn::StoreU(hn::Zero(d), d, a.gradient + i);
}

template <class Rule, class T>
void step_loop(const StepNumbers& numbers, const StepArrays<T>& arrays, const detail::StepBounds& bounds, bool clear) {
  const hn::ScalableTag<T> wide;
  const hn::CappedTag<T, 1> one;
  const std::size_t lanes = hn::Lanes(wide);
  // Copies: what is written through the arrays cannot change them.
  const StepNumbers n = numbers;
  const StepArrays<T> a = arrays;
  const detail::StepBounds b = bounds;
  std::size_t i = 0;
  if (clear) {
    for (; i + lanes <= a.size; i += lanes) step_at<Rule>(wide, n, a, i, b, true);
  } else {
    for (; i + lanes <= a.size; i += lanes) step_at<Rule>(wide, n, a, i, b, false);
  }
  for (; i < a.size; ++i) step_at<Rule>(one, n, a, i, b, clear);
}

template <class T>
void choose_rule(OptimizerKind kind, AdamForm form, const StepNumbers& n, const StepArrays<T>& a,
                 const detail::StepBounds& b, bool clear) {
  const bool paper = form == AdamForm::paper;
  switch (kind) {
    case OptimizerKind::adam:
      return paper ? step_loop<AdamRule<AdamForm::paper, false>>(n, a, b, clear)
                   : step_loop<AdamRule<AdamForm::usual, false>>(n, a, b, clear);
    case OptimizerKind::amsgrad:
      return paper ? step_loop<AdamRule<AdamForm::paper, true>>(n, a, b, clear)
                   : step_loop<AdamRule<AdamForm::usual, true>>(n, a, b, clear);
    case OptimizerKind::adagrad:
      return step_loop<AdaGradRule>(n, a, b, clear);
    case OptimizerKind::sgd:
      return step_loop<SgdRule>(n, a, b, clear);
  }
}

}  // namespace

void step_in_double(OptimizerKind kind, AdamForm form, const StepNumbers& n, const StepArrays<double>& a,
                    const detail::StepBounds& b, bool clear) {
  choose_rule(kind, form, n, a, b, clear);
}

void step_in_single(OptimizerKind kind, AdamForm form, const StepNumbers& n, const StepArrays<float>& a,
                    const detail::StepBounds& b, bool clear) {
  choose_rule(kind, form, n, a, b, clear);
}

}  // namespace polyad::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <polyad/base/simd_target.hpp>

namespace polyad::detail {

HWY_EXPORT(step_in_double);
HWY_EXPORT(step_in_single);

void run_step(OptimizerKind kind, AdamForm form, const StepNumbers& numbers, const StepArrays<double>& piece,
              const StepBounds& bounds, bool clear) {
  simd_target();
  HWY_DYNAMIC_DISPATCH(step_in_double)(kind, form, numbers, piece, bounds, clear);
}

void run_step(OptimizerKind kind, AdamForm form, const StepNumbers& numbers, const StepArrays<float>& piece,
              const StepBounds& bounds, bool clear) {
  simd_target();
  HWY_DYNAMIC_DISPATCH(step_in_single)(kind, form, numbers, piece, bounds, clear);
}

}  // namespace polyad::detail
#endif  // HWY_ONCE
