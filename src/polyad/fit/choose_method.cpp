#include <polyad/fit/defaults.hpp>

#include <polyad/base/text.hpp>
#include <polyad/kernel/exact_objective.hpp>
#include <polyad/optim/schedule.hpp>
#include <polyad/sample/samplers.hpp>
#include <polyad/solve/method_table.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace polyad {

namespace {

constexpr std::uint64_t default_starts = 5;
// CP objectives have local minima: exact starts that are cheap are tried more often, for about this long in all.
constexpr std::uint64_t most_starts = 20;
constexpr double seconds_for_starts = 0.5;
// And guesses are followed for a few iterations each before that (race.hpp), for about this long in all. Fewer than so many
// for each start, and the race is not worth its while.
constexpr std::uint64_t most_raced = 200;
constexpr double seconds_for_tries = 0.1;
constexpr std::uint64_t least_tries_per_start = 2;

// An exact gradient of this many cells takes about as long as a few epochs of sampled ones.
constexpr double finish_dense_cells = 2e7;
constexpr double finish_listed_cells = 5e7;

// Seconds on one core, measured at ranks 3 to 10 (docs/design/0003-defaults.md); r is the rank.
double sample_seconds(double r) {  // to draw a cell and add its gradient
  return 20e-9 + 2e-9 * r;
}
double cell_seconds(double r) {  // a cell of an exact gradient, of the losses with logarithms
  return 4e-9 + 1e-9 * r;
}
double listed_cell_seconds(double r) {  // the same where cells are listed
  return 3 * cell_seconds(r);
}
double apr_nonzero_seconds(double r) {  // a nonzero in a whole start of CP-APR
  return 3e-6 * r;
}
constexpr double apr_finish_share = 0.1;     // of a whole start of CP-APR
constexpr double step_seconds = 2e-9;        // a number of the model in a stochastic step
constexpr double lbfgsb_seconds = 40e-9;     // the same in an iteration of L-BFGS-B
constexpr double iteration_seconds = 20e-6;  // whatever the size of data and model

// Fewer nonzeros than this per cell, and a random start spreads a component over so many cells that samples lead it nowhere:
// what works is found from the data (solve/revive.hpp), and exact rows get there at once.
constexpr double hypersparse = 1e-6;
// Otherwise samples lead counts to lower minima than as many exact starts do. These must be so many times cheaper, and so
// cheap that there can be many of them.
constexpr double exact_counts_share = 0.25;
constexpr double exact_counts_seconds = 0.15;

constexpr double never = std::numeric_limits<double>::infinity();

bool only_bounded_by_zero(const BoundOptions& bounds) {
  return bounds.lower.value_or(0) == 0 && std::isinf(bounds.upper.value_or(INFINITY)) && bounds.modes.empty();
}

// Cells of an exact gradient; infinite where it is refused.
double exact_cells(const Tensor& tensor, const Loss& loss) {
  const SparseTensor* sparse = tensor.sparse();
  const bool closed =
      sparse != nullptr && (loss.info().zero_sum != ZeroSum::none || sparse->unlisted() == Unlisted::missing);
  if (!closed && tensor.space().cells() > max_enumerated_cells) return never;
  return exact_gradient_cells(tensor, loss);
}

// Counts whose zeros are data and whose factors have 0 as their only bound: what CP-APR solves row by row. (Of a dense tensor all
// cells are listed for it, zeros too.)
bool are_sparse_counts(const Tensor& tensor, const Loss& loss, const BoundOptions& bounds) {
  return loss.info().row_problem == RowProblem::poisson_regression && tensor.is_sparse() &&
         tensor.sparse()->unlisted() == Unlisted::zero && only_bounded_by_zero(bounds);
}

Finish default_finish(const Tensor& tensor, const Loss& loss, const BoundOptions& bounds) {
  const double cells = exact_cells(tensor, loss);
  const bool every_cell = cells == tensor.space().cells();
  if (cells > (every_cell ? finish_dense_cells : finish_listed_cells)) return Finish::none;
  // On counts one outer iteration of CP-APR does more than a hundred of L-BFGS-B (docs/methods.md), but it holds the data
  // once more for each mode.
  const double held = static_cast<double>(tensor.space().modes()) * cells;
  return are_sparse_counts(tensor, loss, bounds) && held <= finish_listed_cells ? Finish::apr : Finish::lbfgsb;
}

// What a start costs at most by each method, in seconds.
struct Costs {
  double sampled = never;
  double full = never;
  double full_iteration = never;
  double apr = never;
};

Costs costs_of(const FitOptions& options, const Tensor& tensor, const Loss& loss) {
  const auto rank = static_cast<double>(options.rank);
  const double numbers = static_cast<double>(tensor.space().sum_of_extents()) * rank;
  const ScheduleOptions schedule = resolve(options.schedule);
  const double steps = static_cast<double>(*schedule.epochs) * static_cast<double>(schedule.epoch_iterations);
  const double samples = static_cast<double>(options.sample.samples.value_or(default_samples(tensor)));
  Costs costs;
  costs.sampled = steps * (samples * sample_seconds(rank) + numbers * step_seconds);

  const double cells = exact_cells(tensor, loss);
  const double per_cell = cells == tensor.space().cells() ? cell_seconds(rank) : listed_cell_seconds(rank);
  const auto iterations = static_cast<double>(options.stop.iterations.value_or(info_of("gcp-full").iterations));
  costs.full_iteration = cells * per_cell + numbers * lbfgsb_seconds + iteration_seconds;
  costs.full = iterations * costs.full_iteration;

  if (are_sparse_counts(tensor, loss, options.bounds)) {
    costs.apr = static_cast<double>(tensor.sparse()->listed()) * apr_nonzero_seconds(rank);
  }
  return costs;
}

double expected_seconds(const FitOptions& options, const MethodChoice& choice, const Tensor& tensor, const Loss& loss) {
  const Costs costs = costs_of(options, tensor, loss);
  const auto starts = static_cast<double>(choice.starts);
  const MethodInfo& method = info_of(choice.method);
  double seconds = 0;
  if (method.sampled) {
    const auto iterations = static_cast<double>(options.stop.iterations.value_or(info_of(choice.finish).iterations));
    seconds = starts * costs.sampled;
    if (choice.finish == Finish::lbfgsb) seconds += iterations * costs.full_iteration;
    if (choice.finish == Finish::apr) seconds += apr_finish_share * costs.apr;
  } else if (method.rows == RowProblem::none) {
    seconds = starts * costs.full;
  } else if (method.rows == RowProblem::poisson_regression) {
    seconds = starts * costs.apr;
  }
  return std::isfinite(seconds) ? seconds : 0;
}

std::string few(double count, std::string_view what, std::string_view so) {
  return fmt::format("{} {} are few, so {}", format_count(count), what, so);
}

// By the data alone.
MethodChoice by_data(const FitOptions& options, const Tensor& tensor, const Loss& loss) {
  const Costs costs = costs_of(options, tensor, loss);
  const auto starts = [&](double cost) {
    return static_cast<std::uint64_t>(
        std::clamp(seconds_for_starts / cost, static_cast<double>(default_starts), static_cast<double>(most_starts)));
  };
  const SparseTensor* sparse = tensor.sparse();
  const bool counts = std::isfinite(costs.apr);
  const double nonzeros = sparse != nullptr ? static_cast<double>(sparse->listed()) : 0.0;
  const double affordable = nonzeros < hypersparse * tensor.space().cells()
                                ? costs.sampled
                                : std::min(exact_counts_seconds, exact_counts_share * costs.sampled);
  if (counts && costs.apr <= affordable) {
    return {"cp-apr", Finish::none, starts(costs.apr), 0, few(nonzeros, "nonzeros", "each row is solved exactly")};
  }
  if (!counts && costs.full <= costs.sampled) {
    const double cells = exact_cells(tensor, loss);
    MethodChoice choice{"gcp-full", Finish::none, starts(costs.full), 0,
                        few(cells, cells < tensor.space().cells() ? "listed cells" : "cells", "gradients are exact")};
    const double try_seconds = costs.full_iteration * static_cast<double>(info_of(choice.method).trial_iterations);
    const auto tries =
        static_cast<std::uint64_t>(std::min(seconds_for_tries / try_seconds, static_cast<double>(most_raced)));
    if (tries >= least_tries_per_start * choice.starts) choice.tries = tries;
    return choice;
  }
  return {"gcp-sgd", default_finish(tensor, loss, options.bounds), default_starts, 0,
          "samples cost less than exact gradients of these data"};
}

bool can_serve(const MethodInfo& method, const Tensor& tensor, const Loss& loss) {
  if (!suits_loss(method, loss)) return false;
  try {
    if (method.check != nullptr) method.check(tensor, loss);
  } catch (const Error&) {
    return false;
  }
  return true;
}

// The method that uses every option that is given: that of the data if it does, or else the first one in the table.
MethodChoice by_options(const FitOptions& options, const Tensor& tensor, const Loss& loss) {
  MethodChoice choice = by_data(options, tensor, loss);
  const std::vector<std::string_view> unused = options_unused_by(options, info_of(choice.method), choice.finish);
  if (unused.empty()) return choice;
  const Finish finish = options.finish.value_or(default_finish(tensor, loss, options.bounds));
  for (const Method method : all_methods()) {
    const MethodInfo& info = info_of(method);
    if (!can_serve(info, tensor, loss) || !options_unused_by(options, info, finish).empty()) continue;
    return {method, info.sampled ? finish : Finish::none, default_starts, 0,
            fmt::format("{} is not used by {}", option_name(unused.front()), info_of(choice.method).word)};
  }
  return {"gcp-sgd", finish, default_starts, 0, ""};  // and what it does not use is refused
}

}  // namespace

MethodChoice choose_method(const FitOptions& options, const Tensor& tensor, const Loss& loss, bool from_model) {
  MethodChoice choice;
  if (options.method) {
    choice.method = *options.method;
    choice.starts = default_starts;
    const bool sampled = info_of(choice.method).sampled;
    choice.finish = options.finish.value_or(sampled ? default_finish(tensor, loss, options.bounds) : Finish::none);
  } else {
    choice = by_options(options, tensor, loss);
    if (options.finish) choice.finish = *options.finish;
  }
  if (options.starts || from_model) choice.tries = 0;
  choice.starts = options.starts.value_or(from_model ? 1 : choice.starts);
  if (options.guess.tries) choice.tries = *options.guess.tries;
  choice.seconds = expected_seconds(options, choice, tensor, loss);
  return choice;
}

}  // namespace polyad
