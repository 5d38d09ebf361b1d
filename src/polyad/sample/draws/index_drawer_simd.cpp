// Random words to indices, many samples at once (index_drawer.hpp).

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "polyad/sample/draws/index_drawer_simd.cpp"
#include <polyad/base/simd_file.hpp>
// Highway reads this file again for each target.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <polyad/base/philox-inl.hpp>
#include <polyad/sample/draws/index_drawer.hpp>

#include <algorithm>
#include <array>

HWY_BEFORE_NAMESPACE();
namespace polyad::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// A mode takes at most three words (LeaveOneOut: two for a bucket, one for a coin), a component as many; whole blocks.
constexpr std::size_t max_blocks = (3 * (max_modes + 1) + 3) / 4;
constexpr std::size_t together = 2;  // vectors of samples

// Uniform on 0 .. extent-1 by multiply-high: of one word, or of two as a 64-bit number (low word first), whose product
// with a 32-bit extent is taken in two halves.
HWY_INLINE PhiloxVec bounded(PhiloxVec word, PhiloxVec next_word, const detail::DrawnMode& mode) {
  const PhiloxVec extent = hn::Set(PhiloxTag(), mode.extent);
  const PhiloxVec low = hn::ShiftRight<32>(multiply_words(word, extent));
  if (!mode.two_words) return low;
  return hn::ShiftRight<32>(hn::Add(multiply_words(next_word, extent), low));
}

}  // namespace

void draw_indices_on_target(const RandomStream& stream, const detail::DrawnRange& range,
                            std::span<const detail::DrawnMode> modes, Index* const* out) {
  const PhiloxTag d;
  const hn::Rebind<std::uint32_t, PhiloxTag> narrow;
  const std::size_t lanes = hn::Lanes(d);
  const PhiloxKeys keys(stream.key());
  PhiloxVec words[max_blocks][together][4];
  alignas(64) std::array<std::uint32_t, together * hn::MaxLanes(d)> rest;
  for (std::size_t t = 0; t < range.count; t += together * lanes) {
    for (std::uint32_t b = 0; b < range.blocks; ++b) {
      const auto counter = RandomStream::counter(
          range.draw, range.part, range.first_sample + static_cast<std::uint32_t>(t), range.first_block + b);
      for (std::size_t v = 0; v < together; ++v) {
        words[b][v][0] = hn::Add(hn::Set(d, counter[0]), hn::Iota(d, v * lanes));
        for (std::size_t i = 1; i < 4; ++i) words[b][v][i] = hn::Set(d, counter[i]);
      }
      keys.encrypt(words[b]);
    }
    const std::size_t count = std::min(together * lanes, range.count - t);
    for (std::size_t k = 0; k < modes.size(); ++k) {
      const std::size_t at = modes[k].word;
      const std::size_t next = at + (modes[k].two_words ? 1 : 0);
      Index* const into = count == together * lanes ? out[k] + t : rest.data();
      for (std::size_t v = 0; v < together; ++v) {
        const PhiloxVec offset = bounded(words[at / 4][v][at % 4], words[next / 4][v][next % 4], modes[k]);
        hn::StoreU(hn::TruncateTo(narrow, hn::Add(offset, hn::Set(d, modes[k].low))), narrow, into + v * lanes);
      }
      if (into == rest.data()) std::copy_n(rest.data(), count, out[k] + t);
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
