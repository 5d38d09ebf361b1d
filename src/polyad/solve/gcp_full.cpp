#include <polyad/solve/gcp_full.hpp>

#include <polyad/base/exact_numbers.hpp>
#include <polyad/solve/bounds.hpp>
#include <polyad/solve/exact_progress.hpp>
#include <polyad/solve/method_table.hpp>
#include <polyad/solve/objective_size.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

namespace polyad {

namespace {

// The entries of the modes that are not fixed, without padding, as L-BFGS-B sees them.
struct FreeEntries {
  std::vector<std::size_t> position;  // within Factors::flat()
  std::vector<double> lower;
  std::vector<double> upper;

  FreeEntries(const Factors& factors, const std::vector<Segment>& segments) {
    for (std::size_t k = 0; k < factors.modes(); ++k) {
      if (segments[k].fixed) continue;
      for (std::size_t i = 0; i < factors.rows(k); ++i) {
        for (std::size_t j = 0; j < factors.rank(); ++j) {
          position.push_back(factors.mode_begin(k) + i * factors.stride() + j);
          lower.push_back(segments[k].lower);
          upper.push_back(segments[k].upper);
        }
      }
    }
  }
  void copy_from(const Factors& factors, std::span<double> x) const {
    for (std::size_t p = 0; p < position.size(); ++p) x[p] = factors.flat()[position[p]];
  }
  void copy_to(std::span<const double> x, Factors& factors) const {
    for (std::size_t p = 0; p < position.size(); ++p) factors.flat()[position[p]] = x[p];
  }
};

// Of what there is to explain: a tolerance is not a fraction of less. About 1e-6.
constexpr double smallest_difference = 0x1p-20;

// A fresh beginning must lower the objective by this many tolerances, or it was an end.
constexpr double restart_gain = 10;

std::string gradient_note(double size) {
  return fmt::format("projected gradient {:.2g}", size);
}

}  // namespace

GcpFull::GcpFull(const Tensor& tensor, const Loss& loss, std::vector<Segment> segments, LbfgsbSettings settings,
                 std::uint64_t iterations)
    : evaluate_(tensor, loss), segments_(std::move(segments)), settings_(settings), iterations_(iterations) {
  settings_.least = smallest_difference * power_of_two_near(size_of_objective(tensor, loss));
}

StartResult GcpFull::run(Factors guess, const StartContext& context) const {
  ExactProgress progress(context, iterations_);
  const FreeEntries entries(guess, segments_);
  Factors now = std::move(guess);
  Factors gradient(now.extents(), now.rank());
  std::vector<double> x(entries.position.size());
  entries.copy_from(now, x);

  std::optional<StopReason> why;
  bool started = false;
  const auto objective = [&](std::span<const double> at, double& f, std::span<double> g) {
    if (started) why = progress.stop_now();
    if (why) return false;
    entries.copy_to(at, now);
    f = evaluate_(now, context.threads.now(), gradient);
    entries.copy_from(gradient, g);
    if (!gradient.all_finite()) f = std::nan("");
    if (!started) why = progress.record(now, f, "");
    started = true;
    return !why;
  };
  const auto on_iteration = [&](const LbfgsbIteration& iteration) {
    entries.copy_to(x, now);
    why = progress.record(now, iteration.f, gradient_note(iteration.projected_gradient));
    return !why;
  };
  LbfgsbEnd end = minimize_lbfgsb(x, entries.lower, entries.upper, settings_, objective, on_iteration);
  // A small decrease may be a bad step and no end: it is one where a fresh beginning gains nothing either.
  while (started && (end == LbfgsbEnd::tolerance || end == LbfgsbEnd::no_step)) {
    const double before = progress.best();
    entries.copy_to(x, now);
    if (scale_free(segments_)) now = balanced(now);
    entries.copy_from(now, x);
    end = minimize_lbfgsb(x, entries.lower, entries.upper, settings_, objective, on_iteration);
    const double size = std::max(std::abs(before), settings_.least);
    if (!(before - progress.best() > restart_gain * settings_.tolerance * size)) break;
  }
  if (!started) progress.record(now, evaluate_(now, context.threads.now(), gradient), "", StopReason::converged);

  switch (end) {
    case LbfgsbEnd::gradient:
      progress.cut_short(StopReason::converged);
      break;
    case LbfgsbEnd::tolerance:
      progress.cut_short(StopReason::tolerance);
      break;
    case LbfgsbEnd::no_step:
      progress.cut_short(StopReason::no_decrease);
      break;
    case LbfgsbEnd::asked:
      progress.cut_short(*why);
      break;
  }
  return std::move(progress).result();
}

std::string GcpFull::describe() const {
  return evaluate_.describe();
}

namespace {

constexpr std::array<std::string_view, 2> options_of_gcp_full = {"iterations", "L-BFGS-B"};

}  // namespace

extern constinit const MethodInfo gcp_full_method = {
    .word = "gcp-full",
    .help = "by exact gradients (any loss)",
    .tolerance = 1e-9,
    .iterations = 1000,
    .trial_iterations = 20,
    .uses = options_of_gcp_full,
    .check = [](const Tensor& tensor, const Loss& loss) { exact_gradient_cells(tensor, loss); },
    .make = [](const MethodSetup& s) -> std::unique_ptr<Solver> {
      LbfgsbSettings settings;
      settings.pairs = s.options.lbfgsb.pairs;
      settings.tolerance = s.tolerance;
      settings.gradient_tolerance = s.options.lbfgsb.gradient_tolerance;
      return std::make_unique<GcpFull>(s.tensor, s.loss, s.segments, settings, s.iterations);
    },
};

}  // namespace polyad
