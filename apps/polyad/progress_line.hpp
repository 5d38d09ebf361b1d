#pragma once
// Progress of a fit on standard error: one updating line on a terminal, plain lines now and then in a pipe.

#include <polyad/base/clock.hpp>
#include <polyad/progress.hpp>

#include <cstdint>
#include <string>

namespace polyad::cli {

class ProgressLine {
 public:
  ProgressLine(bool quiet, bool terminal) : quiet_(quiet), terminal_(terminal) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void update(const Progress& progress);
  /// Wipes the updating line before other output.
  void clear();

 private:
  std::string time_left(const Progress& progress) const;

  const bool quiet_;
  const bool terminal_;
  const Stopwatch clock_;
  double last_shown_ = -1e9;
  std::uint64_t epochs_done_ = 0;
  std::uint64_t starts_done_ = 0;
  std::uint64_t epochs_saved_ = 0;  // of starts that ended before all their epochs
  double best_ = 0;
  bool have_best_ = false;
  double previous_ = 0;
  bool shown_ = false;
};

}  // namespace polyad::cli
