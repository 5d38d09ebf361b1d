#pragma once
// The instruction sets that a fit can be asked to use (`simd`).

#include <array>
#include <string_view>

namespace polyad {

/// portable gives the same bits on all x86-64, each of the others on the CPUs that have it.
enum class SimdTarget { portable, scalar, sse4, avx2, avx512 };
constexpr std::array<std::string_view, 5> words_of(SimdTarget) {
  return {"portable", "scalar", "sse4", "avx2", "avx512"};
}

}  // namespace polyad
