#pragma once
// What a running solver tells the outside, and how it is asked to stop.

#include <polyad/model/trace.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

namespace polyad {

class CheckpointStore;  // checkpoint/store.hpp

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

  /// Where the states of starts are kept and resumed from; may be null.
  CheckpointStore* checkpoint = nullptr;

  bool interrupted() const { return interrupt != nullptr && interrupt->load(std::memory_order_relaxed); }
};

}  // namespace polyad
