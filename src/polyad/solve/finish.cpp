#include <polyad/solve/finish.hpp>

#include <utility>

namespace polyad {

void finish_start(const Solver& solver, StartResult& start, const StartContext& context) {
  StartResult polished = solver.run(std::move(start.factors), context);
  const std::uint64_t epochs = start.trace.empty() ? 0 : start.trace.back().epoch;
  for (TraceRow row : polished.trace) {
    row.epoch += epochs;
    row.seconds += start.seconds;
    start.trace.push_back(row);
  }
  start.factors = std::move(polished.factors);
  start.estimate = polished.estimate;
  start.why = polished.why;
  start.note = std::move(polished.note);
  start.seconds += polished.seconds;
}

}  // namespace polyad
