#include <polyad/fit/defaults.hpp>

#include <polyad/fit/make_solver.hpp>

#include <cmath>
#include <limits>

namespace polyad {

namespace {

constexpr std::uint64_t default_starts = 5;

// Adam moves an entry by about the rate a step, whatever the gradient's size, so a rate means something only against the
// size of the entries: with this share of it a fit behaves the same whatever the unit of the data.
constexpr double rate_share = 0.015;

// Sampled gradients are heavy-tailed (1/m at a nonzero where the model is still near zero). A second moment that remembers
// a thousand steps, as the paper's does, freezes entries for long after such a gradient.
constexpr double default_beta2 = 0.99;

// The norm the whole tensor would have if its missing cells were like the observed ones.
double norm_of_all_cells(const Tensor& tensor) {
  const double observed = tensor.observed();
  return observed > 0 ? tensor.norm() * std::sqrt(tensor.space().cells() / observed) : 0.0;
}

}  // namespace

std::uint64_t starts_of(const FitOptions& options, bool from_model) {
  return options.starts.value_or(from_model ? 1 : default_starts);
}

FitOptions with_defaults(const FitOptions& options, const Tensor& tensor, const Loss& loss, StartingGuesses& guesses) {
  FitOptions used = options;
  used.loss = loss.spec();
  used.starts = starts_of(options, guesses.has_model());
  const bool stochastic = options.method == Method::gcp_sgd;
  used.finish = !stochastic      ? Finish::none
                : options.finish ? *options.finish
                                 : default_finish(tensor, loss, options.bounds);
  used.stop.tolerance = options.stop.tolerance.value_or(default_tolerance(options.method));
  used.exact.iterations = options.exact.iterations.value_or(default_iterations(options.method, *used.finish));
  used.sample = resolve(options.sample, tensor, loss.info());
  used.guess.kind = options.guess.kind.value_or(GuessKind::uniform);
  used.guess.norm = options.guess.norm ? *options.guess.norm : norm_of_all_cells(tensor);
  if (options.schedule.kind != ScheduleKind::paper) {
    const double size = stochastic && !used.schedule.rate ? guesses.size(used) : 0;
    if (size > 0 && std::isfinite(size)) used.schedule.rate = rate_share * size;
    if (!used.optimizer.beta2) used.optimizer.beta2 = default_beta2;
  }
  used.schedule = resolve(used.schedule);
  used.optimizer.beta2 = used.optimizer.beta2.value_or(paper_beta2);
  used.bounds.lower = options.bounds.lower.value_or(loss.info().lower);
  used.bounds.upper = options.bounds.upper.value_or(std::numeric_limits<double>::infinity());
  return used;
}

}  // namespace polyad
