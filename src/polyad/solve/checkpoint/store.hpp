#pragma once
// Keeps the state of a fit on disk, so that nothing computed is lost: whatever ends the program, a fit that is resumed from
// its last checkpoint ends with the same factors and estimates, bit for bit, as one that was never stopped.
//
// States are taken between epochs, where they are smallest: an epoch is a function of the state at its beginning, since
// random numbers are a function of the draw counter. What an epoch that did not end had done is done again.

#include <polyad/base/json.hpp>
#include <polyad/io/checkpoint_file.hpp>
#include <polyad/optim/schedule.hpp>
#include <polyad/options/method.hpp>

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace polyad {

/// A start between two epochs, or at its end. In single precision arrays are widened, which is exact.
struct StartState {
  bool finished = false;
  std::uint64_t why = 0;  ///< StopReason, where finished
  std::uint64_t draws = 0;
  std::uint64_t steps = 0;  ///< of the optimiser
  ScheduleState schedule;
  double estimate = 0;
  double best_estimate = 0;
  double seconds = 0;
  std::vector<double> factors;  ///< empty where finished
  std::vector<double> best;
  std::vector<double> first, second, peak;  ///< moments
  Trace trace;

  friend bool operator==(const StartState&, const StartState&) = default;
};

/// One for a fit; starts on several threads may use it.
class CheckpointStore {
 public:
  /// Nothing is written where options name no file. A state to resume from must agree in identity (the data) and options;
  /// otherwise a usage error names what differs.
  CheckpointStore(const CheckpointOptions& options, Json identity, Json fit_options);

  /// Where a start is to go on from; nothing where it has not begun.
  std::optional<StartState> state_of(std::uint64_t start) const;
  bool active() const { return !path_.empty(); }
  /// Remembers a start's state, and writes all of them where it is time.
  void keep(std::uint64_t start, StartState state);
  /// Writes what is remembered and not written yet.
  void flush();
  const std::string& path() const { return path_; }
  /// What to know about a fit that was resumed: that it began on another instruction set; mostly empty.
  const std::string& remark() const { return remark_; }
  /// Why the last attempt to write failed; empty where it did not. A fit goes on without its checkpoint, and tries again.
  std::string trouble() const;

 private:
  void write_locked();

  std::string path_;
  double every_ = 0;
  Json identity_;
  Json options_;
  mutable std::mutex mutex_;
  std::map<std::uint64_t, StartState> states_;
  bool fresh_ = false;  // something is remembered that is not written
  std::string trouble_;
  std::string remark_;
  std::chrono::steady_clock::time_point written_;
};

}  // namespace polyad
