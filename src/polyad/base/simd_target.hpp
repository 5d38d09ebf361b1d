#pragma once
// Which vector instructions are used. One binary holds the kernels for several kinds of CPU and chooses once, at run
// time: the best this CPU has, or what POLYAD_SIMD (scalar, sse4, avx2, avx512) or `force_simd_target` asks for.
//
// Results are bitwise reproducible on one target; between targets they differ by rounding only.
//
// Files named *_simd.cpp are compiled once a target through Highway; begin them with simd_file.hpp.

#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace polyad {

enum class SimdTarget { scalar, sse4, avx2, avx512 };
constexpr std::array<std::string_view, 4> words_of(SimdTarget) {
  return {"scalar", "sse4", "avx2", "avx512"};
}

/// The target in use. A usage error where POLYAD_SIMD names one that is unknown or that this CPU has not.
SimdTarget simd_target();

/// All that this CPU can run, slowest first; scalar is always among them.
std::vector<SimdTarget> supported_simd_targets();

/// For tests and measurements: use this one from now on; nothing: the best again. Not while a fit is running. A usage
/// error where this CPU has it not.
void force_simd_target(std::optional<SimdTarget> target);

}  // namespace polyad
