#include <polyad/optim/bounds.hpp>
#include <polyad/optim/rules.hpp>

#include <cmath>

namespace polyad {

namespace {

class AdaGrad final : public Optimizer {
 public:
  explicit AdaGrad(double epsilon) : epsilon_(epsilon) {}

  Moments start(std::size_t n) const override {
    Moments m;
    m.second.assign(n, 0.0);
    return m;
  }

  void step(std::span<double> parameters, std::span<const double> gradient, Moments& moments, double rate,
            std::span<const Segment> segments) const override {
    check_step(parameters, gradient, {&moments.second}, segments);
    ++moments.steps;
    const double epsilon = epsilon_;
    for (const Segment& s : segments) {
      if (s.fixed) continue;
      const double lower = s.lower;
      const double upper = s.upper;
      double* __restrict a = parameters.data() + s.begin;
      const double* __restrict g = gradient.data() + s.begin;
      double* __restrict c = moments.second.data() + s.begin;
      for (std::size_t i = 0; i < s.size; ++i) {
        c[i] += g[i] * g[i];
        a[i] = clamp_keeping_nan(a[i] - rate * g[i] / (std::sqrt(c[i]) + epsilon), lower, upper);
      }
    }
  }

 private:
  double epsilon_;
};

}  // namespace

std::unique_ptr<Optimizer> make_adagrad(const OptimizerOptions& options) {
  return std::make_unique<AdaGrad>(options.epsilon);
}

}  // namespace polyad
