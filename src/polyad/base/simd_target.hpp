#pragma once
// Which vector instructions are used. One binary holds the kernels for several kinds of CPU and chooses at run time: the
// best this CPU has, or what POLYAD_SIMD or the option `simd` asks for.
//
//   scalar, sse4, avx2, avx512   one instruction set. Results are the same, bit for bit, on every CPU that has it and the
//                                same C library; between sets they differ by rounding.
//   portable                     code for plain x86-64 that no part of depends on the CPU: neither kernels nor mathematical
//                                functions, which the C library otherwise chooses by CPU too (base/math.hpp). Results are the
//                                same, bit for bit, on all x86-64. The price is speed: a few times that of AVX2.
//
// Files named *_simd.cpp are compiled once per target through Highway; begin them with simd_file.hpp.

#include <polyad/detail/simd_target.hpp>

#include <optional>
#include <string>
#include <vector>

namespace polyad {

/// The target in use. A usage error where POLYAD_SIMD names one that is unknown or that this CPU has not.
SimdTarget simd_target();

/// All that this CPU can run, slowest first; portable and scalar are always among them.
std::vector<SimdTarget> supported_simd_targets();

/// For tests and measurements: use this one from now on; nothing: the best again. Not while a fit is running. A usage
/// error where this CPU has it not.
void force_simd_target(std::optional<SimdTarget> target);

/// While one exists, the target asked for is in use. The choice holds for the whole process, so a usage error where somebody
/// else holds another one. Nothing asked for: whatever is in use.
class SimdUse {
 public:
  explicit SimdUse(std::optional<SimdTarget> wanted);
  ~SimdUse();
  SimdUse(const SimdUse&) = delete;
  SimdUse& operator=(const SimdUse&) = delete;
};

/// The name of a linear algebra library that is loaded and chooses its code by CPU, as L-BFGS-B then does through it; empty for
/// the reference BLAS. Where OPENBLAS_CORETYPE fixes the choice of OpenBLAS it does not count.
std::string blas_by_cpu();

}  // namespace polyad
