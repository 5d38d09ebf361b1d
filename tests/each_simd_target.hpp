#pragma once
// Runs a check once for every instruction set this CPU has, so that all kernels are tested and not only the best ones.

#include <polyad/base/fields.hpp>
#include <polyad/base/simd_target.hpp>

#include <gtest/gtest.h>

namespace polyad::testing {

/// Uses a target for as long as it lives, then the one that was in use.
class WithSimdTarget {
 public:
  explicit WithSimdTarget(SimdTarget target) : before_(simd_target()) { force_simd_target(target); }
  ~WithSimdTarget() { force_simd_target(before_); }
  WithSimdTarget(const WithSimdTarget&) = delete;
  WithSimdTarget& operator=(const WithSimdTarget&) = delete;

 private:
  SimdTarget before_;
};

template <class Check>
void for_each_simd_target(const Check& check) {
  for (const SimdTarget target : supported_simd_targets()) {
    SCOPED_TRACE(std::string(word_of(target)));
    const WithSimdTarget guard(target);
    check(target);
  }
}

}  // namespace polyad::testing
