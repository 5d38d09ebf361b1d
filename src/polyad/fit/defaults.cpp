#include <polyad/fit/defaults.hpp>

#include <cmath>
#include <limits>

namespace polyad {

namespace {

constexpr std::uint64_t default_starts = 8;

// The norm the whole tensor would have if its missing cells were like the observed ones.
double norm_of_all_cells(const Tensor& tensor) {
  const double observed = tensor.observed();
  return observed > 0 ? tensor.norm() * std::sqrt(tensor.space().cells() / observed) : 0.0;
}

}  // namespace

FitOptions with_defaults(const FitOptions& options, const Tensor& tensor, const Loss& loss) {
  FitOptions used = options;
  used.loss = loss.spec();
  used.sample = resolve(options.sample, tensor, loss.info());
  used.schedule = resolve(options.schedule);
  used.starts = options.starts.value_or(default_starts);
  used.guess.kind = options.guess.kind.value_or(GuessKind::uniform);
  used.guess.norm = options.guess.norm ? *options.guess.norm : norm_of_all_cells(tensor);
  used.bounds.lower = options.bounds.lower.value_or(loss.info().lower);
  used.bounds.upper = options.bounds.upper.value_or(std::numeric_limits<double>::infinity());
  return used;
}

}  // namespace polyad
