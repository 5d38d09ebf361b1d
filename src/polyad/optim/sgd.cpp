#include <polyad/optim/bounds.hpp>
#include <polyad/optim/rules.hpp>

namespace polyad {

namespace {

class Sgd final : public Optimizer {
 public:
  explicit Sgd(double momentum) : mu_(momentum) {}

  Moments start(std::size_t n) const override {
    Moments m;
    m.first.assign(n, 0.0);
    return m;
  }

  void step(std::span<double> parameters, std::span<const double> gradient, Moments& moments, double rate,
            std::span<const Segment> segments) const override {
    check_step(parameters, gradient, {&moments.first}, segments);
    ++moments.steps;
    const double mu = mu_;
    for (const Segment& s : segments) {
      if (s.fixed) continue;
      const double lower = s.lower;
      const double upper = s.upper;
      double* __restrict a = parameters.data() + s.begin;
      const double* __restrict g = gradient.data() + s.begin;
      double* __restrict v = moments.first.data() + s.begin;
      for (std::size_t i = 0; i < s.size; ++i) {
        v[i] = mu * v[i] + g[i];
        a[i] = clamp_keeping_nan(a[i] - rate * v[i], lower, upper);
      }
    }
  }

 private:
  double mu_;
};

}  // namespace

std::unique_ptr<Optimizer> make_sgd(const OptimizerOptions& options) {
  return std::make_unique<Sgd>(options.momentum);
}

}  // namespace polyad
