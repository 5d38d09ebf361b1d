#include <polyad/optim/bounds.hpp>
#include <polyad/optim/rules.hpp>

#include <cmath>

namespace polyad {

namespace {

template <AdamForm form>
class Adam final : public Optimizer {
 public:
  explicit Adam(const OptimizerOptions& o)
      : beta1_(o.beta1), beta2_(o.beta2.value_or(paper_beta2)), epsilon_(o.epsilon) {}

  Moments start(std::size_t n) const override {
    Moments m;
    m.first.assign(n, 0.0);
    m.second.assign(n, 0.0);
    return m;
  }

  void step(std::span<double> parameters, std::span<const double> gradient, Moments& moments, double rate,
            std::span<const Segment> segments) const override {
    check_step(parameters, gradient, {&moments.first, &moments.second}, segments);
    const double t = static_cast<double>(++moments.steps);
    const double b1 = beta1_;
    const double b2 = beta2_;
    const double epsilon = epsilon_;
    // Bias corrections as factors: the loop is left with one division and one root, which are what it costs.
    const double corrected_rate = rate / (1 - std::pow(b1, t));
    const double correction2 = 1 / (1 - std::pow(b2, t));
    for (const Segment& s : segments) {
      if (s.fixed) continue;
      const double lower = s.lower;
      const double upper = s.upper;
      double* __restrict a = parameters.data() + s.begin;
      const double* __restrict g = gradient.data() + s.begin;
      double* __restrict b = moments.first.data() + s.begin;
      double* __restrict c = moments.second.data() + s.begin;
      for (std::size_t i = 0; i < s.size; ++i) {
        b[i] = b1 * b[i] + (1 - b1) * g[i];
        c[i] = b2 * c[i] + (1 - b2) * (g[i] * g[i]);
        const double square = c[i] * correction2;
        const double root = form == AdamForm::paper ? std::sqrt(square + epsilon) : std::sqrt(square) + epsilon;
        a[i] = clamp_keeping_nan(a[i] - corrected_rate * b[i] / root, lower, upper);
      }
    }
  }

 private:
  double beta1_;
  double beta2_;
  double epsilon_;
};

}  // namespace

std::unique_ptr<Optimizer> make_adam(const OptimizerOptions& options) {
  if (options.form == AdamForm::paper) return std::make_unique<Adam<AdamForm::paper>>(options);
  return std::make_unique<Adam<AdamForm::usual>>(options);
}

}  // namespace polyad
