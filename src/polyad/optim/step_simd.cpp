// The list of update rules, and the rules as vector loops: one pass over parameters, gradient and moments, bounds included,
// because a step is limited by memory.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "polyad/optim/step_simd.cpp"
#include <polyad/base/simd_file.hpp>
// Highway reads this file again for each target.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <polyad/base/math.hpp>
#include <polyad/optim/rules.hpp>
#include <polyad/optim/rules/adagrad-inl.hpp>
#include <polyad/optim/rules/adam-inl.hpp>
#include <polyad/optim/rules/sgd-inl.hpp>

#include <array>
#include <tuple>

HWY_BEFORE_NAMESPACE();
namespace polyad::HWY_NAMESPACE {
namespace {

// In single precision a gradient this large squares to nearly the largest number there is.
constexpr double largest_single_gradient = 1e18;

template <class Rule, AdamForm form, class D>
HWY_INLINE void step_at(D d, const StepNumbers& n, const StepArrays<hn::TFromD<D>>& a, std::size_t i,
                        const detail::StepBounds& bounds, bool clear) {
  Vectors<D> v{};
  v.gradient = hn::LoadU(d, a.gradient + i);
  if constexpr (sizeof(hn::TFromD<D>) == 4) {
    v.gradient = at_least(constant(d, -largest_single_gradient), v.gradient);
    v.gradient = at_most(constant(d, largest_single_gradient), v.gradient);
  }
  if constexpr (has(Rule::info.keeps, Moment::first)) v.first = hn::LoadU(d, a.first + i);
  if constexpr (has(Rule::info.keeps, Moment::second)) v.second = hn::LoadU(d, a.second + i);
  if constexpr (has(Rule::info.keeps, Moment::peak)) v.peak = hn::LoadU(d, a.peak + i);
  auto moved = hn::Sub(hn::LoadU(d, a.parameters + i), Rule::template step<form>(d, n, v));
  moved = at_least(constant(d, bounds.lower), moved);
  moved = at_most(constant(d, bounds.upper), moved);
  hn::StoreU(moved, d, a.parameters + i);
  if constexpr (has(Rule::info.keeps, Moment::first)) hn::StoreU(v.first, d, a.first + i);
  if constexpr (has(Rule::info.keeps, Moment::second)) hn::StoreU(v.second, d, a.second + i);
  if constexpr (has(Rule::info.keeps, Moment::peak)) hn::StoreU(v.peak, d, a.peak + i);
  if (clear) hn::StoreU(hn::Zero(d), d, a.gradient + i);
}

template <class Rule, AdamForm form, class T>
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
    for (; i + lanes <= a.size; i += lanes) step_at<Rule, form>(wide, n, a, i, b, true);
  } else {
    for (; i + lanes <= a.size; i += lanes) step_at<Rule, form>(wide, n, a, i, b, false);
  }
  for (; i < a.size; ++i) step_at<Rule, form>(one, n, a, i, b, clear);
}

template <class Rule, class T>
void run_rule(AdamForm form, const StepNumbers& n, const StepArrays<T>& a, const detail::StepBounds& b, bool clear) {
  if constexpr (Rule::info.two_forms) {
    if (form == AdamForm::usual) return step_loop<Rule, AdamForm::usual>(n, a, b, clear);
  }
  step_loop<Rule, AdamForm::paper>(n, a, b, clear);
}

// THE list of update rules, in the order of the names in `OptimizerKind`.
using AllRules = std::tuple<AdamRule, AmsGradRule, AdaGradRule, SgdRule>;

template <class... Rules>
struct ListOf;
template <class... Rules>
struct ListOf<std::tuple<Rules...>> {
  template <class T>
  static constexpr std::array loops = {&run_rule<Rules, T>...};
  static constexpr std::array infos = {Rules::info...};
  static constexpr std::array numbers = {&Rules::numbers...};
};

}  // namespace

void step_in_double(OptimizerKind kind, AdamForm form, const StepNumbers& n, const StepArrays<double>& a,
                    const detail::StepBounds& b, bool clear) {
  ListOf<AllRules>::loops<double>[static_cast<std::size_t>(kind)](form, n, a, b, clear);
}

void step_in_single(OptimizerKind kind, AdamForm form, const StepNumbers& n, const StepArrays<float>& a,
                    const detail::StepBounds& b, bool clear) {
  ListOf<AllRules>::loops<float>[static_cast<std::size_t>(kind)](form, n, a, b, clear);
}

}  // namespace polyad::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <polyad/base/simd_target.hpp>

namespace polyad {

using RuleList = HWY_NAMESPACE::ListOf<HWY_NAMESPACE::AllRules>;

std::span<const RuleInfo> all_rules() {
  static constexpr auto infos = RuleList::infos;
  return infos;
}

namespace detail {

void complete_numbers(const OptimizerOptions& options, std::uint64_t steps, StepNumbers& numbers) {
  RuleList::numbers[static_cast<std::size_t>(options.kind)](options, static_cast<double>(steps), numbers);
}

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

}  // namespace detail
}  // namespace polyad
#endif  // HWY_ONCE
