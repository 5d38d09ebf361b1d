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
  static constexpr std::array<std::string_view, 1> options = {"momentum"};
  static constexpr RuleInfo info = {.word = "sgd", .keeps = Moment::first, .uses = options, .proportional = true};
  static void numbers(const OptimizerOptions& o, double, StepNumbers& n) { n.beta1 = o.momentum; }
  template <AdamForm, class D>
  HWY_INLINE static hn::Vec<D> step(D d, const StepNumbers& n, Vectors<D>& v) {
    v.first = hn::MulAdd(constant(d, n.beta1), v.first, v.gradient);
    return hn::Mul(constant(d, n.rate / n.gradient_scale), v.first);
  }
};

}  // namespace
}  // namespace polyad::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
