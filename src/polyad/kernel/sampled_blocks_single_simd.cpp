// The block kernels in single precision.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "polyad/kernel/sampled_blocks_single_simd.cpp"
#include <polyad/base/simd_file.hpp>
// Highway reads this file again for each target.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <polyad/kernel/sampled_blocks-inl.hpp>

HWY_BEFORE_NAMESPACE();
namespace polyad::HWY_NAMESPACE {

BlockKernels<float> single_kernels(std::size_t modes, std::size_t stride) {
  return kernels_for<float>(modes, stride);
}

}  // namespace polyad::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <polyad/base/simd_target.hpp>

namespace polyad {

HWY_EXPORT(single_kernels);

template <>
BlockKernels<float> block_kernels<float>(std::size_t modes, std::size_t stride) {
  simd_target();
  return HWY_DYNAMIC_DISPATCH(single_kernels)(modes, stride);
}

}  // namespace polyad
#endif  // HWY_ONCE
