#include <polyad/base/error.hpp>
#include <polyad/optim/rules.hpp>

namespace polyad {

std::unique_ptr<Optimizer> make_optimizer(const OptimizerOptions& options) {
  validate_fields(options);
  switch (options.kind) {
    case OptimizerKind::adam:
      return make_adam(options);
    case OptimizerKind::amsgrad:
      return make_amsgrad(options);
    case OptimizerKind::adagrad:
      return make_adagrad(options);
    case OptimizerKind::sgd:
      return make_sgd(options);
  }
  fail(ErrorKind::usage, "optimizer: no rule has number {}", static_cast<int>(options.kind));
}

void check_step(std::span<const double> parameters, std::span<const double> gradient,
                std::initializer_list<const AlignedVector<double>*> used, std::span<const Segment> segments) {
  const std::size_t n = parameters.size();
  if (gradient.size() != n) {
    fail(ErrorKind::usage, "optimizer step: {} parameters but a gradient of {}", n, gradient.size());
  }
  for (const auto* moment : used) {
    if (moment->size() != n) {
      fail(ErrorKind::usage, "optimizer step: {} parameters but moments for {}: make them with start({})", n,
           moment->size(), n);
    }
  }
  for (const Segment& s : segments) {
    if (s.begin > n || s.size > n - s.begin) {
      fail(ErrorKind::usage, "optimizer step: segment of {} from {} is beyond the {} parameters", s.size, s.begin, n);
    }
  }
}

}  // namespace polyad
