#pragma once
// While one exists, numbers too small to be normal become zero on this thread. The moments of a row that is no longer drawn
// shrink towards zero for ever, and arithmetic on numbers below the smallest normal one is many times slower.

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace polyad {

class FlushDenormals {
 public:
#if defined(__SSE2__)
  FlushDenormals() : before_(_mm_getcsr()) {
    _mm_setcsr(before_ | flush_results | flush_operands);
  }
  ~FlushDenormals() {
    _mm_setcsr(before_);
  }
#else
  FlushDenormals() = default;
  ~FlushDenormals() = default;
#endif
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
#if defined(__SSE2__)
  static constexpr unsigned flush_results = 0x8000;
  static constexpr unsigned flush_operands = 0x0040;
  const unsigned before_;
#endif
};

}  // namespace polyad
