#include <polyad/solve/finish.hpp>

#include <utility>

namespace polyad {

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
