// Duchi, Hazan & Singer (2011): C += g^2; a -= rate g / (sqrt(C) + eps).

#if defined(POLYAD_RULE_ADAGRAD_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef POLYAD_RULE_ADAGRAD_INL
#undef POLYAD_RULE_ADAGRAD_INL
#else
#define POLYAD_RULE_ADAGRAD_INL
#endif

#include <polyad/optim/rules/vectors-inl.hpp>

HWY_BEFORE_NAMESPACE();
namespace polyad::HWY_NAMESPACE {
namespace {

struct AdaGradRule {
  static constexpr std::array<std::string_view, 1> options = {"epsilon"};
  static constexpr RuleInfo info = {.word = "adagrad", .keeps = Moment::second, .uses = options};
  static void numbers(const OptimizerOptions&, double, StepNumbers&) {}
  template <AdamForm, class D>
  HWY_INLINE static hn::Vec<D> step(D d, const StepNumbers& n, Vectors<D>& v) {
    v.second = hn::MulAdd(v.gradient, v.gradient, v.second);
    const auto root = hn::Add(hn::Sqrt(v.second), constant(d, n.epsilon * n.gradient_scale));
    return hn::Div(hn::Mul(constant(d, n.rate), v.gradient), root);
  }
};

}  // namespace
}  // namespace polyad::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
