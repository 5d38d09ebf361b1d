// What a *_simd.cpp includes before Highway itself. No include guard: Highway reads such a file once per target.
//
//   #undef HWY_TARGET_INCLUDE
//   #define HWY_TARGET_INCLUDE "polyad/kernel/listed_blocks_simd.cpp"
//   #include <polyad/base/simd_file.hpp>
//   #include <hwy/foreach_target.h>
//   #include <hwy/highway.h>
//
// Targets: AVX-512 (Skylake and later), AVX2 with FMA, SSE4, and plain C++. SSSE3 would serve machines from before 2008.

// NOLINTBEGIN(llvm-header-guard)
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS HWY_SSSE3
// NOLINTEND(llvm-header-guard)
