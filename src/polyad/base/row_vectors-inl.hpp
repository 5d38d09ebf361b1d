// Vectors over the rows of factors (polyad/model.hpp) for one instruction set: what kernels with one lane per component share.
// A row is whole vectors, and what is left of it after the widest ones is done with vectors of four. Rows are aligned to four
// numbers only, hence unaligned loads (which cost nothing where the address happens to be aligned).

#if defined(POLYAD_BASE_ROW_VECTORS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef POLYAD_BASE_ROW_VECTORS_INL_HPP
#undef POLYAD_BASE_ROW_VECTORS_INL_HPP
#else
#define POLYAD_BASE_ROW_VECTORS_INL_HPP
#endif

#include <hwy/highway.h>

#include <array>
#include <cstddef>
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

// The sum of a row's numbers, gathered vector by vector as for_each_vector gives them.
template <class T>
class RowSum {
  using Wide = hn::ScalableTag<T>;
  using Four = hn::CappedTag<T, 4>;
  static constexpr std::size_t lanes = hn::MaxLanes(Wide());

 public:
  HWY_INLINE RowSum() : wide_(hn::Zero(Wide())), four_(hn::Zero(Four())) {}
  template <class D>
  HWY_INLINE void add(D d, hn::Vec<D> v) {
    if constexpr (hn::MaxLanes(d) == lanes) {
      wide_ = hn::Add(wide_, v);
    } else {
      four_ = hn::Add(four_, v);
    }
  }
  HWY_INLINE T of(std::size_t quads) const {
    const bool with_wide = lanes <= 4 || 4 * quads >= lanes;
    const bool with_four = lanes > 4 && (4 * quads) % lanes != 0;
    T sum = with_wide ? sum_of(Wide(), wide_) : T{0};
    if (with_four) sum += sum_of(Four(), four_);
    return sum;
  }

 private:
  hn::Vec<Wide> wide_;
  hn::Vec<Four> four_;
};

// Kernels are specialised on the row length up to 16 numbers and on 2 to 5 modes; 0 means known only at run time.
constexpr std::size_t fixed_quads = 4;
constexpr std::size_t least_fixed_modes = 2;
constexpr std::size_t fixed_modes = 4;

template <class Make, std::size_t Quads, std::size_t... M>
constexpr auto kernels_of_modes(std::index_sequence<M...>) {
  return std::array{Make::template kernels<Quads, 0>(), Make::template kernels<Quads, M + least_fixed_modes>()...};
}

template <class Make, std::size_t... Q>
constexpr auto kernels_of_shapes(std::index_sequence<Q...>) {
  return std::array{kernels_of_modes<Make, Q>(std::make_index_sequence<fixed_modes>{})...};
}

// Make::kernels<Quads, Modes>() of this shape.
template <class Make>
auto kernels_for_shape(std::size_t modes, std::size_t stride) {
  static constexpr auto table = kernels_of_shapes<Make>(std::make_index_sequence<fixed_quads + 1>{});
  const std::size_t quads = stride / 4;
  const bool modes_fixed = modes >= least_fixed_modes && modes < least_fixed_modes + fixed_modes;
  return table[quads <= fixed_quads ? quads : 0][modes_fixed ? modes - least_fixed_modes + 1 : 0];
}

}  // namespace
}  // namespace polyad::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
