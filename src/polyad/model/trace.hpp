#pragma once
// How a fit went, epoch by epoch.

#include <cstdint>
#include <vector>

namespace polyad {

/// One epoch of one start, or one iteration of an exact solver.
struct TraceRow {
  std::uint64_t epoch = 0;  ///< 0: the starting guess
  double seconds = 0;       ///< since the start began
  double estimate = 0;
  double rate = 0;  ///< step size; 0 marks an exact iteration, whose `estimate` is the exact objective
  bool accepted = true;

  friend bool operator==(const TraceRow&, const TraceRow&) = default;
};
using Trace = std::vector<TraceRow>;

}  // namespace polyad
