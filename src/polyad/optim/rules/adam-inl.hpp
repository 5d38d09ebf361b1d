// Adam and AMSGrad, which differ in the moment that the denominator is made of.
//
//   adam     Kingma & Ba (2015), Alg. 4 of the paper: B = b1 B + (1-b1) g; C = b2 C + (1-b2) g^2; B^ = B / (1 - b1^t);
//            C^ = C / (1 - b2^t); a -= rate B^ / sqrt(C^ + eps) (paper), or rate B^ / (sqrt(C^) + eps) (usual).
//   amsgrad  Reddi, Kale & Kumar (2018): Adam whose denominator uses the largest C so far, P = max(P, C). The authors
//            leave out bias correction; here both moments are corrected as in Adam, after the maximum: C^ = P / (1 - b2^t).
//            So it equals Adam for as long as C grows, and its first steps are not sqrt(1-b2)/(1-b1) times too large.

#if defined(POLYAD_RULE_ADAM_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef POLYAD_RULE_ADAM_INL
#undef POLYAD_RULE_ADAM_INL
#else
#define POLYAD_RULE_ADAM_INL
#endif

#include <polyad/optim/rules/vectors-inl.hpp>

HWY_BEFORE_NAMESPACE();
namespace polyad::HWY_NAMESPACE {
namespace {

template <bool keep_peak>
struct AdamFamily {
  static constexpr std::array<std::string_view, 4> options = {"adam-form", "beta1", "beta2", "epsilon"};
  static constexpr Moment moments = Moment::first | Moment::second;
  static constexpr RuleInfo info = {.word = keep_peak ? "amsgrad" : "adam",
                                    .keeps = keep_peak ? moments | Moment::peak : moments,
                                    .uses = options,
                                    .two_forms = true};
  static void numbers(const OptimizerOptions& o, double t, StepNumbers& n) {
    n.beta1 = o.beta1;
    n.beta2 = o.beta2.value_or(paper_beta2);
    n.rate = n.rate / (1 - math::pow(n.beta1, t));
    n.correction2 = 1 / (1 - math::pow(n.beta2, t));
  }
  template <AdamForm form, class D>
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
using AdamRule = AdamFamily<false>;
using AmsGradRule = AdamFamily<true>;

}  // namespace
}  // namespace polyad::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
