#pragma once
// What a running fit reports, how it is asked to stop, and why it ended.

#include <polyad/model.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace polyad {

/// Why a start ended.
enum class StopReason {
  epochs_done,
  no_decrease,
  tolerance,
  time_limit,
  interrupted,
  diverged,
  iterations_done,
  converged,
};
constexpr std::array<std::string_view, 8> words_of(StopReason) {
  return {"all epochs done", "no further decrease", "change below tolerance", "time limit reached",
          "interrupted",     "no finite estimate",  "all iterations done",    "converged"};
}

class CheckpointStore;

/// The state of one start after an epoch (epoch 0: its starting guess).
struct Progress {
  std::uint64_t start = 0;
  std::uint64_t starts = 1;
  std::uint64_t epochs = 0;  ///< at most this many, all going well
  bool open_ended = false;   ///< the schedule may end long before `epochs`
  TraceRow row;
  double best = 0;    ///< lowest estimate of this start so far
  bool last = false;  ///< the start ends here
  std::string note;   ///< what an exact solver watches besides: "fit 0.97486"; empty for the stochastic one
};

/// Called after each epoch of each start, one call at a time; may be empty.
using ProgressSink = std::function<void(const Progress&)>;

/// How a caller watches and interrupts a solver.
struct Monitor {
  ProgressSink on_epoch;
  /// Set it (from a signal handler, another thread) to end at the next iteration with the best model so far.
  const std::atomic<bool>* interrupt = nullptr;

  /// Where the states of starts are kept and resumed from; `fit` sets it, by its options.
  CheckpointStore* checkpoint = nullptr;

  bool interrupted() const { return interrupt != nullptr && interrupt->load(std::memory_order_relaxed); }
};

}  // namespace polyad
