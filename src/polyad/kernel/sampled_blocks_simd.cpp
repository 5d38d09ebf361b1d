// The block kernels (sampled_blocks.hpp) in both precisions. A lane is a component (row_vectors-inl.hpp).

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "polyad/kernel/sampled_blocks_simd.cpp"
#include <polyad/base/simd_file.hpp>
// Highway reads this file again for each target.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <polyad/base/row_vectors-inl.hpp>
#include <polyad/kernel/sampled_blocks.hpp>

#include <array>

HWY_BEFORE_NAMESPACE();
namespace polyad::HWY_NAMESPACE {
namespace {

// `Quads` and `Modes` are the row length in fours and the number of modes; 0 means known only at run time.
template <class T, std::size_t Quads, std::size_t Modes>
void model_values(const CellRowsOf<T>& rows, std::size_t first, std::size_t count, T* m) {
  constexpr std::size_t held = Modes > 0 ? Modes : max_modes;
  const std::size_t quads = Quads > 0 ? Quads : rows.stride / 4;
  const std::size_t modes = Modes > 0 ? Modes : rows.modes;
  for (std::size_t t = 0; t < count; ++t) {
    std::array<const T*, held> row;
    row[0] = rows.factor[0] + rows.index[0][first + t] * (4 * quads);
    for (std::size_t k = 1; k < modes; ++k) row[k] = rows.factor[k] + rows.index[k][first + t] * (4 * quads);
    RowSum<T> sum;
    for_each_vector<T>(quads, [&](auto d, std::size_t c) {
      auto product = hn::LoadU(d, row[0] + c);
      for (std::size_t k = 1; k < modes; ++k) product = hn::Mul(product, hn::LoadU(d, row[k] + c));
      sum.add(d, product);
    });
    m[t] = sum.of(quads);
  }
}

template <class T, std::size_t Quads, std::size_t Modes>
void scatter(const CellRowsOf<T>& rows, std::size_t first, std::size_t count, const T* y) {
  constexpr std::size_t held = Modes > 0 ? Modes : max_modes;
  const std::size_t quads = Quads > 0 ? Quads : rows.stride / 4;
  const std::size_t modes = Modes > 0 ? Modes : rows.modes;
  for (std::size_t t = 0; t < count; ++t) {
    std::array<const T*, held> row;
    std::array<T*, held> gradient;
    for (std::size_t k = 0; k < modes; ++k) {
      const std::size_t offset = rows.index[k][first + t] * (4 * quads);
      row[k] = rows.factor[k] + offset;
      gradient[k] = rows.gradient[k] + offset;
    }
    for_each_vector<T>(quads, [&](auto d, std::size_t c) {
      using V = hn::Vec<decltype(d)>;
      V a[held];
      V prefix[held];  // y times the rows of all modes before k
      prefix[0] = hn::Set(d, y[t]);
      for (std::size_t k = 0; k < modes; ++k) {
        a[k] = hn::LoadU(d, row[k] + c);
        if (k + 1 < modes) prefix[k + 1] = hn::Mul(prefix[k], a[k]);
      }
      T* const last = gradient[modes - 1] + c;
      hn::StoreU(hn::Add(hn::LoadU(d, last), prefix[modes - 1]), d, last);
      V suffix = a[modes - 1];  // the rows of all modes after k
      for (std::size_t k = modes - 1; k-- > 0;) {
        T* const g = gradient[k] + c;
        hn::StoreU(hn::MulAdd(prefix[k], suffix, hn::LoadU(d, g)), d, g);
        if (k > 0) suffix = hn::Mul(suffix, a[k]);
      }
    });
  }
}

template <class T>
struct MakeBlockKernels {
  template <std::size_t Quads, std::size_t Modes>
  static constexpr BlockKernels<T> kernels() {
    return {&model_values<T, Quads, Modes>, &scatter<T, Quads, Modes>};
  }
};

}  // namespace

BlockKernels<double> double_kernels(std::size_t modes, std::size_t stride) {
  return kernels_for_shape<MakeBlockKernels<double>>(modes, stride);
}

BlockKernels<float> single_kernels(std::size_t modes, std::size_t stride) {
  return kernels_for_shape<MakeBlockKernels<float>>(modes, stride);
}

}  // namespace polyad::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <polyad/base/simd_target.hpp>

namespace polyad {

HWY_EXPORT(double_kernels);
HWY_EXPORT(single_kernels);

template <>
BlockKernels<double> block_kernels<double>(std::size_t modes, std::size_t stride) {
  simd_target();
  return HWY_DYNAMIC_DISPATCH(double_kernels)(modes, stride);
}

template <>
BlockKernels<float> block_kernels<float>(std::size_t modes, std::size_t stride) {
  simd_target();
  return HWY_DYNAMIC_DISPATCH(single_kernels)(modes, stride);
}

}  // namespace polyad
#endif  // HWY_ONCE
