#pragma once
// Trace, best model and reasons to stop of one start of an exact solver. A row of the trace is an iteration (gcp-full), a
// sweep over the modes (cp-als) or an outer iteration (cp-apr); its estimate is the exact objective and its rate 0.

#include <polyad/solve/solver.hpp>

#include <optional>
#include <string>

namespace polyad {

class ExactProgress {
 public:
  /// `iterations`: at most this many rows after the first.
  ExactProgress(const StartContext& context, std::uint64_t iterations);

  /// Interrupted or out of time: for use within an iteration.
  std::optional<StopReason> stop_now() const;

  /// Adds a row; the reason to stop after it, if there is one. `finished`: the solver's own reason.
  std::optional<StopReason> record(const Factors& factors, double objective, const std::string& note,
                                   std::optional<StopReason> finished = {});

  /// A reason to stop that came up within an iteration, whose row would be the last one's.
  void cut_short(StopReason why);

  double best() const { return best_; }
  StartResult result() &&;

 private:
  const StartContext& context_;
  const std::uint64_t iterations_;
  const Stopwatch clock_;
  Trace trace_;
  Factors best_factors_;
  double best_ = 0;
  std::string note_;
  StopReason why_ = StopReason::iterations_done;
};

}  // namespace polyad
