// The update rules as vector loops: one pass over parameters, gradient and moments, bounds included, because a step is
// bound by memory.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "polyad/optim/step_simd.cpp"
#include <polyad/base/simd_file.hpp>
// Highway reads this file again for each target.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <polyad/optim/rules/adagrad-inl.hpp>
#include <polyad/optim/rules/adam-inl.hpp>
#include <polyad/optim/rules/sgd-inl.hpp>
#include <polyad/optim/step.hpp>

HWY_BEFORE_NAMESPACE();
namespace polyad::HWY_NAMESPACE {
namespace {

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
  if constexpr (has(Rule::keeps, Moment::first)) v.first = hn::LoadU(d, a.first + i);
  if constexpr (has(Rule::keeps, Moment::second)) v.second = hn::LoadU(d, a.second + i);
  if constexpr (has(Rule::keeps, Moment::peak)) v.peak = hn::LoadU(d, a.peak + i);
  auto moved = hn::Sub(hn::LoadU(d, a.parameters + i), Rule::step(d, n, v));
  moved = at_least(constant(d, bounds.lower), moved);
  moved = at_most(constant(d, bounds.upper), moved);
  hn::StoreU(moved, d, a.parameters + i);
  if constexpr (has(Rule::keeps, Moment::first)) hn::StoreU(v.first, d, a.first + i);
  if constexpr (has(Rule::keeps, Moment::second)) hn::StoreU(v.second, d, a.second + i);
  if constexpr (has(Rule::keeps, Moment::peak)) hn::StoreU(v.peak, d, a.peak + i);
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
      return paper ? step_loop<AdamRule<OptimizerKind::adam, AdamForm::paper>>(n, a, b, clear)
                   : step_loop<AdamRule<OptimizerKind::adam, AdamForm::usual>>(n, a, b, clear);
    case OptimizerKind::amsgrad:
      return paper ? step_loop<AdamRule<OptimizerKind::amsgrad, AdamForm::paper>>(n, a, b, clear)
                   : step_loop<AdamRule<OptimizerKind::amsgrad, AdamForm::usual>>(n, a, b, clear);
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
