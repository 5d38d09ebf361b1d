#pragma once
// What all solvers have in common: from a starting guess to the best model of that start, with a trace, reasons to stop and
// interrupts. A solver is set up once for a tensor and then runs any number of starts, side by side.

#include <polyad/base/clock.hpp>
#include <polyad/base/parallel.hpp>
#include <polyad/model.hpp>
#include <polyad/options/method.hpp>
#include <polyad/progress.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace polyad {

struct StartResult {
  std::uint64_t start = 0;
  Factors factors;      ///< of the best objective
  double estimate = 0;  ///< their objective: estimated (stochastic) or exact; non-finite where the start diverged
  Trace trace;
  StopReason why = StopReason::epochs_done;
  double seconds = 0;
  std::string note;  ///< how near the end was to a solution: "largest KKT violation 8.1e-05"
};

/// One start's surroundings.
struct StartContext {
  const Monitor& monitor;
  const Stopwatch& since_fit_began;  ///< what the time limit counts against
  const StopOptions& stop;
  std::uint64_t start = 0;
  std::uint64_t starts = 1;
  ThreadBudget threads = 1;
};

class Solver {
 public:
  virtual ~Solver() = default;
  /// Runs one start from `guess`, which is within its bounds. The result depends on guess and start number, never on threads.
  virtual StartResult run(Factors guess, const StartContext& context) const = 0;
  /// What an iteration looks at, for people: "500 of 524,468 nonzeros and ...".
  virtual std::string describe() const = 0;
};

}  // namespace polyad
