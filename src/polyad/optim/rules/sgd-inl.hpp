// Polyak's heavy ball: v = mu v + g; a -= rate v. The velocity is a plain sum, not a mean: in the long run a constant gradient
// moves by rate / (1 - mu) per step.

#if defined(POLYAD_RULE_SGD_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef POLYAD_RULE_SGD_INL
#undef POLYAD_RULE_SGD_INL
#else
#define POLYAD_RULE_SGD_INL
#endif

#include <polyad/optim/rules/vectors-inl.hpp>

HWY_BEFORE_NAMESPACE();
namespace polyad::HWY_NAMESPACE {
namespace {

struct SgdRule {
  static constexpr Moment keeps = info_of(OptimizerKind::sgd).keeps;
  template <class D>
  HWY_INLINE static hn::Vec<D> step(D d, const StepNumbers& n, Vectors<D>& v) {
    v.first = hn::MulAdd(constant(d, n.beta1), v.first, v.gradient);
    return hn::Mul(constant(d, n.rate / n.gradient_scale), v.first);
  }
};

}  // namespace
}  // namespace polyad::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
