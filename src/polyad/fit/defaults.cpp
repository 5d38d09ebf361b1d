#include <polyad/fit/defaults.hpp>

#include <polyad/optim/schedule.hpp>
#include <polyad/sample/sampler.hpp>

#include <polyad/base/exact_numbers.hpp>
#include <polyad/fit/units.hpp>
#include <polyad/kernel/batch_objective.hpp>
#include <polyad/loss/best_value.hpp>
#include <polyad/model/guess.hpp>
#include <polyad/optim/rules.hpp>
#include <polyad/solve/method_table.hpp>
#include <polyad/solve/objective_size.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace polyad {

namespace {

// Adam moves an entry by about the rate a step, whatever the gradient's size, so a rate means something only against the
// size of the entries: with this share of it a fit behaves the same whatever the unit of the data.
constexpr double rate_share = 0.015;

// Sampled gradients are heavy-tailed (1/m at a nonzero where the model is still near zero). A second moment that remembers
// a thousand steps, as the paper's does, freezes entries for long after such a gradient.
constexpr double default_beta2 = 0.99;

// The share of a typical gradient that epsilon is: only zeros are to be kept from a denominator.
constexpr double epsilon_share = 1e-8;
constexpr std::uint64_t gradient_samples = 10000;

// A power of two near a typical entry of the gradient, from a sample.
double size_of_gradient(const Factors& at, const Tensor& tensor, const Loss& loss) {
  Factors gradient(at.extents(), at.rank());
  sampled_gradient(at, typical_cells(tensor, gradient_samples), loss, gradient);
  double largest = 0;
  for (const double g : gradient.flat()) largest = std::max(largest, std::abs(g));
  if (!(largest > 0) || !std::isfinite(largest)) return 1;
  const double scale = power_of_two_near(largest);  // squares must not overflow
  for (double& g : gradient.flat()) g /= scale;
  return scale * power_of_two_near(size_of_entries(gradient));
}

// Rate, epsilon and decay of the second moment, where they are auto.
void choose_steps(FitOptions& used, const Tensor& tensor, const Loss& loss, StartingGuesses& guesses) {
  OptimizerOptions& optimizer = used.optimizer;
  if (!optimizer.beta2) optimizer.beta2 = default_beta2;
  if (used.schedule.rate && optimizer.epsilon) return;
  const Factors& start = guesses.first(used);
  const double size = size_of_entries(start);
  const double gradient = size_of_gradient(start, tensor, loss);
  if (!used.schedule.rate && size > 0 && std::isfinite(size)) {
    used.schedule.rate = rate_share * size / (info_of(optimizer.kind).proportional ? gradient : 1.0);
  }
  if (!optimizer.epsilon) {
    const bool inside_root = info_of(optimizer.kind).two_forms && optimizer.form == AdamForm::paper;
    const double share = epsilon_share * gradient;
    optimizer.epsilon = std::max(inside_root ? share * share : share, std::numeric_limits<double>::min());
  }
}

// Whether m is neither on the scale of the data nor bounded by 0: a logarithm, a logit.
bool has_link_of_its_own(const Loss& loss) {
  if (loss.info().lower == 0 || loss.info().units.any()) return false;
  const auto stands_for_itself = [&](double m) { return std::abs(expected_value(loss, m) - m) < 0.01 * m; };
  return !stands_for_itself(1) || !stands_for_itself(2);
}

// The norm the whole tensor would have if its missing cells were like the observed ones.
double norm_of_all_cells(const Tensor& tensor) {
  const double observed = tensor.observed();
  return observed > 0 ? tensor.norm() * std::sqrt(tensor.space().cells() / observed) : 0.0;
}

// What only sampled gradients use. The guess is resolved.
void resolve_stochastic(FitOptions& used, const Tensor& tensor, const Loss& loss, StartingGuesses& guesses) {
  const std::uint64_t iterations = info_of(*used.finish).iterations;
  if (!used.stop.iterations && iterations > 0) used.stop.iterations = iterations;
  used.sample = resolve(used.sample, tensor, loss.info());
  if (used.schedule.kind != ScheduleKind::paper) {
    choose_steps(used, tensor, loss.in_units_of(*used.guess.unit), guesses);
  }
  used.schedule = resolve(used.schedule);
  used.optimizer.beta2 = used.optimizer.beta2.value_or(paper_beta2);
  used.optimizer.epsilon = used.optimizer.epsilon.value_or(paper_epsilon);
}

}  // namespace

FitOptions with_defaults(const FitOptions& options, const MethodChoice& choice, const Tensor& tensor, const Loss& loss,
                         StartingGuesses& guesses) {
  FitOptions used = options;
  used.loss = loss.spec();
  used.method = choice.method;
  used.finish = choice.finish;
  used.starts = choice.starts;
  used.guess.unit = options.guess.unit.value_or(default_unit(tensor, loss, options));
  if (choice.tries > 0) used.guess.tries = choice.tries;
  const bool both_signs = choice.tries > 0 && options.bounds.lower.value_or(loss.info().lower) < 0;
  used.guess.kind = options.guess.kind.value_or(both_signs ? GuessKind::mixed : GuessKind::uniform);
  used.guess.norm = options.guess.norm.value_or(norm_of_all_cells(tensor) / *used.guess.unit);
  if (!options.guess.level && !options.guess.norm && !options.guess.kind && has_link_of_its_own(loss)) {
    used.guess.level = best_constant(tensor, loss);
  }
  guesses.use_unit(*used.guess.unit);
  if (is_sampled(used)) {
    resolve_stochastic(used, tensor, loss, guesses);
  } else {
    const MethodInfo& method = info_of(choice.method);
    used.stop.tolerance = options.stop.tolerance.value_or(method.tolerance);
    used.stop.iterations = options.stop.iterations.value_or(method.iterations);
  }
  refuse_unused(options, used);
  reset_unused(used);
  used.bounds.lower = options.bounds.lower.value_or(loss.info().lower);
  used.bounds.upper = options.bounds.upper.value_or(std::numeric_limits<double>::infinity());
  return used;
}

}  // namespace polyad
