#pragma once
// Seconds since construction, by a clock that never jumps; what was spent before can be counted in.

#include <chrono>

namespace polyad {

class Stopwatch {
 public:
  explicit Stopwatch(double spent_before = 0) : spent_before_(spent_before) {}

  double seconds() const {
    return spent_before_ + std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  double spent_before_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace polyad
