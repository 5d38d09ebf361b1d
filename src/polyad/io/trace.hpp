#pragma once
// How a fit went, epoch by epoch.

#include <cstdint>
#include <vector>

namespace polyad {

/// One epoch of one start.
struct TraceRow {
  std::uint64_t epoch = 0;  ///< 0: the starting guess
  double seconds = 0;       ///< since the start began
  double estimate = 0;
  double rate = 0;
  bool accepted = true;

  friend bool operator==(const TraceRow&, const TraceRow&) = default;
};
using Trace = std::vector<TraceRow>;

}  // namespace polyad
