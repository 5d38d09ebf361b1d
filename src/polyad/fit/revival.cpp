#include <polyad/fit/plan.hpp>

#include <polyad/solve/checkpoint/resume.hpp>
#include <polyad/solve/method_table.hpp>
#include <polyad/solve/revive.hpp>

#include <algorithm>
#include <memory>
#include <utility>

namespace polyad {

namespace {

// A finish starts near a solution, a restarted component does not.
constexpr std::uint64_t least_iterations = 200;
// Exact solves from a good model are short; a round of epochs takes as long as a start.
constexpr std::size_t exact_rounds = 12;
constexpr std::size_t sampled_rounds = 3;

}  // namespace

void revive_components(const FitPlan& plan, StartResult& best, const StartContext& context,
                       const std::function<bool()>& out_of_time) {
  const FitOptions& used = plan.options;
  std::unique_ptr<Solver> finish;  // made where it is needed
  const auto solve = [&](Factors guess, std::size_t round) {
    if (!is_sampled(used)) return plan.prepared->solver->run(std::move(guess), context);
    if (used.finish != Finish::none) {
      if (finish == nullptr) {
        FitOptions longer = used;
        longer.stop.iterations = std::max(*used.stop.iterations, least_iterations);
        finish = make_finish(*plan.tensor, plan.prepared->units.loss(), longer, plan.prepared->segments);
      }
      return finish->run(std::move(guess), context);
    }
    // Epochs as in one more start, with its own draws and its own place in the checkpoint.
    StartContext extra = context;
    extra.start = *used.starts + round;
    CheckpointStore* const store = context.monitor.checkpoint;
    if (auto ended = finished_start(store, extra.start, guess)) return std::move(*ended);
    StartResult result = plan.prepared->solver->run(std::move(guess), extra);
    keep_finished(store, result);
    return result;
  };
  const ReviveProblem problem{*plan.tensor, plan.prepared->units.loss(), plan.prepared->segments, used.sample,
                              context.threads.now()};
  const bool exact = !is_sampled(used) || used.finish != Finish::none;
  revive(best, problem, exact ? exact_rounds : sampled_rounds, solve,
         [&] { return context.monitor.interrupted() || out_of_time(); });
  if (context.monitor.checkpoint != nullptr) context.monitor.checkpoint->flush();
}

}  // namespace polyad
