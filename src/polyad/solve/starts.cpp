#include <polyad/solve/starts.hpp>

#include <polyad/base/parallel.hpp>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>
#include <utility>

namespace polyad {

namespace {

// However the task ends.
struct EndsTask {
  ThreadShare& share;
  ~EndsTask() { share.task_ended(); }
};

}  // namespace

std::size_t lowest_finite(std::span<const double> losses) {
  std::size_t best = 0;
  for (std::size_t s = 1; s < losses.size(); ++s) {
    if (std::isfinite(losses[s]) && (!std::isfinite(losses[best]) || losses[s] < losses[best])) best = s;
  }
  return best;
}

MultistartResult multistart(
    std::size_t starts, std::size_t threads, const Monitor& monitor, const std::function<bool()>& out_of_time,
    const std::function<StartResult(std::size_t start, ThreadBudget threads, const Monitor&)>& run_start) {
  // Threads go to starts first, which scales best; what is left over, from the beginning or when starts end, serves inside
  // the starts under way.
  ThreadShare share(threads, starts);

  std::mutex one_at_a_time;
  Monitor guarded = monitor;
  if (monitor.on_epoch) {
    guarded.on_epoch = [&](const Progress& progress) {
      const std::lock_guard lock(one_at_a_time);
      monitor.on_epoch(progress);
    };
  }

  std::vector<std::optional<StartResult>> done(starts);
  parallel_tasks(starts, threads, [&](std::size_t start) {
    const EndsTask ends{share};
    if (start > 0 && (monitor.interrupted() || out_of_time())) return;
    done[start] = run_start(start, ThreadBudget(share), guarded);
  });

  MultistartResult result;
  for (auto& start : done) {
    if (start) result.starts.push_back(std::move(*start));
  }
  std::vector<double> estimates;
  for (const StartResult& start : result.starts) estimates.push_back(start.estimate);
  result.best = lowest_finite(estimates);
  return result;
}

void continue_start(StartResult& start, StartResult more) {
  const std::uint64_t epochs = start.trace.empty() ? 0 : start.trace.back().epoch;
  for (TraceRow row : more.trace) {
    row.epoch += epochs;
    row.seconds += start.seconds;
    start.trace.push_back(row);
  }
  start.factors = std::move(more.factors);
  start.estimate = more.estimate;
  start.why = more.why;
  start.note = std::move(more.note);
  start.seconds += more.seconds;
}

void finish_start(const Solver& solver, StartResult& start, const StartContext& context) {
  continue_start(start, solver.run(std::move(start.factors), context));
}

}  // namespace polyad
