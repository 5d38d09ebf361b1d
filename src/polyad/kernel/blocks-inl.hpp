// The block kernels for one precision and one instruction set (blocks.hpp). A lane is a component: rows are whole vectors,
// and what is left of a row after the widest vectors is done with vectors of four. Rows are aligned to four numbers only,
// hence the unaligned loads (which cost nothing where the address happens to be aligned).

#if defined(POLYAD_KERNEL_BLOCKS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef POLYAD_KERNEL_BLOCKS_INL_HPP
#undef POLYAD_KERNEL_BLOCKS_INL_HPP
#else
#define POLYAD_KERNEL_BLOCKS_INL_HPP
#endif

#include <hwy/highway.h>

#include <polyad/kernel/blocks.hpp>

#include <array>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace polyad::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Calls body(tag, offset) for each vector of a row of `quads` times four numbers.
template <class T, class Body>
HWY_INLINE void for_each_vector(std::size_t quads, const Body& body) {
  const hn::ScalableTag<T> wide;
  const hn::CappedTag<T, 4> four;
  constexpr std::size_t lanes = hn::MaxLanes(wide);
  const std::size_t length = 4 * quads;
  std::size_t c = 0;
  for (; c + lanes <= length; c += lanes) body(wide, c);
  if constexpr (lanes > 4) {
    for (; c < length; c += 4) body(four, c);
  }
}

template <class D>
HWY_INLINE hn::TFromD<D> sum_of(D d, hn::Vec<D> v) {
  return hn::GetLane(hn::SumOfLanes(d, v));
}

// `Quads` and `Modes` are the row length in fours and the number of modes; 0 means known only at run time.
template <class T, std::size_t Quads, std::size_t Modes>
void model_values(const BlockRows<T>& rows, std::size_t first, std::size_t count, T* m) {
  const hn::ScalableTag<T> wide;
  const hn::CappedTag<T, 4> four;
  constexpr std::size_t lanes = hn::MaxLanes(wide);
  constexpr std::size_t held = Modes > 0 ? Modes : max_modes;
  const std::size_t quads = Quads > 0 ? Quads : rows.stride / 4;
  const std::size_t modes = Modes > 0 ? Modes : rows.modes;
  for (std::size_t t = 0; t < count; ++t) {
    std::array<const T*, held> row;
    row[0] = rows.factor[0] + rows.index[0][first + t] * (4 * quads);
    for (std::size_t k = 1; k < modes; ++k) row[k] = rows.factor[k] + rows.index[k][first + t] * (4 * quads);
    auto wide_sum = hn::Zero(wide);
    auto four_sum = hn::Zero(four);
    for_each_vector<T>(quads, [&](auto d, std::size_t c) {
      auto product = hn::LoadU(d, row[0] + c);
      for (std::size_t k = 1; k < modes; ++k) product = hn::Mul(product, hn::LoadU(d, row[k] + c));
      if constexpr (hn::MaxLanes(d) == lanes) {
        wide_sum = hn::Add(wide_sum, product);
      } else {
        four_sum = hn::Add(four_sum, product);
      }
    });
    const bool with_wide = lanes <= 4 || 4 * quads >= lanes;
    const bool with_four = lanes > 4 && (4 * quads) % lanes != 0;
    T sum = with_wide ? sum_of(wide, wide_sum) : T{0};
    if (with_four) sum += sum_of(four, four_sum);
    m[t] = sum;
  }
}

template <class T, std::size_t Quads, std::size_t Modes>
void scatter(const BlockRows<T>& rows, std::size_t first, std::size_t count, const T* y) {
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

constexpr std::size_t fixed_quads = 4;
constexpr std::size_t least_fixed_modes = 2;
constexpr std::size_t fixed_modes = 4;  // 2 .. 5

template <class T, std::size_t Quads, std::size_t... M>
constexpr void fill_modes(std::array<BlockKernels<T>, fixed_modes + 1>& row, std::index_sequence<M...>) {
  row[0] = {&model_values<T, Quads, 0>, &scatter<T, Quads, 0>};
  ((row[M + 1] = {&model_values<T, Quads, M + least_fixed_modes>, &scatter<T, Quads, M + least_fixed_modes>}), ...);
}

template <class T, std::size_t... Q>
constexpr auto kernel_table(std::index_sequence<Q...>) {
  std::array<std::array<BlockKernels<T>, fixed_modes + 1>, sizeof...(Q)> table{};
  (fill_modes<T, Q>(table[Q], std::make_index_sequence<fixed_modes>{}), ...);
  return table;
}

// table[quads or 0][modes - 1 or 0]
template <class T>
BlockKernels<T> kernels_for(std::size_t modes, std::size_t stride) {
  static constexpr auto table = kernel_table<T>(std::make_index_sequence<fixed_quads + 1>{});
  const std::size_t quads = stride / 4;
  const bool modes_fixed = modes >= least_fixed_modes && modes < least_fixed_modes + fixed_modes;
  return table[quads <= fixed_quads ? quads : 0][modes_fixed ? modes - least_fixed_modes + 1 : 0];
}

}  // namespace
}  // namespace polyad::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
