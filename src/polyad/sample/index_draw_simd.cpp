// Random words to indices, many samples at once (index_draw.hpp).

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "polyad/sample/index_draw_simd.cpp"
#include <polyad/base/simd_file.hpp>
// Highway reads this file again for each target.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <polyad/base/philox-inl.hpp>
#include <polyad/sample/index_draw.hpp>

#include <algorithm>
#include <array>

HWY_BEFORE_NAMESPACE();
namespace polyad::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// A mode takes at most three words (LeaveOneOut: two for a bucket, one for a coin), a component as many; whole blocks.
constexpr std::size_t max_words = 3 * (max_modes + 1) + 3;

// Uniform on 0 .. extent-1 by multiply-high: of one word, or of two as a 64-bit number (low word first), whose product
// with a 32-bit extent is taken in two halves.
HWY_INLINE PhiloxVec bounded(const PhiloxVec* words, const detail::DrawnMode& mode) {
  const PhiloxTag d;
  const PhiloxVec extent = hn::Set(d, mode.extent);
  const PhiloxVec low = hn::ShiftRight<32>(multiply_words(words[mode.word], extent));
  if (!mode.two_words) return low;
  return hn::ShiftRight<32>(hn::Add(multiply_words(words[mode.word + 1], extent), low));
}

}  // namespace

void draw_indices_on_target(const RandomStream& stream, const detail::DrawnRange& range,
                            std::span<const detail::DrawnMode> modes, Index* const* out) {
  const PhiloxTag d;
  const hn::Rebind<std::uint32_t, PhiloxTag> narrow;
  const std::size_t lanes = hn::Lanes(d);
  const PhiloxVec lane = hn::Iota(d, 0);
  PhiloxVec words[max_words];
  alignas(64) std::array<std::uint32_t, hn::MaxLanes(d)> rest;
  for (std::size_t t = 0; t < range.count; t += lanes) {
    const std::size_t count = std::min(lanes, range.count - t);
    for (std::uint32_t b = 0; b < range.blocks; ++b) {
      const auto counter = RandomStream::counter(
          range.draw, range.part, range.first_sample + static_cast<std::uint32_t>(t), range.first_block + b);
      PhiloxVec* const c = words + 4 * b;
      c[0] = hn::Add(hn::Set(d, counter[0]), lane);
      c[1] = hn::Set(d, counter[1]);
      c[2] = hn::Set(d, counter[2]);
      c[3] = hn::Set(d, counter[3]);
      philox(c[0], c[1], c[2], c[3], stream.key());
    }
    for (std::size_t k = 0; k < modes.size(); ++k) {
      const PhiloxVec index = hn::Add(bounded(words, modes[k]), hn::Set(d, modes[k].low));
      if (count == lanes) {
        hn::StoreU(hn::TruncateTo(narrow, index), narrow, out[k] + t);
      } else {
        hn::StoreU(hn::TruncateTo(narrow, index), narrow, rest.data());
        std::copy_n(rest.data(), count, out[k] + t);
      }
    }
  }
}

}  // namespace polyad::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <polyad/base/simd_target.hpp>

namespace polyad::detail {

HWY_EXPORT(draw_indices_on_target);

void draw_indices(const RandomStream& stream, const DrawnRange& range, std::span<const DrawnMode> modes,
                  Index* const* out) {
  simd_target();
  HWY_DYNAMIC_DISPATCH(draw_indices_on_target)(stream, range, modes, out);
}

}  // namespace polyad::detail
#endif  // HWY_ONCE
